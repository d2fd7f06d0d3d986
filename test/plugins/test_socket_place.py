"""Where the socket of a home lies: as docs/service.md has it, and as the service itself finds it."""

import hashlib
import importlib
import os
import unittest

from plugin_case import PluginCase


def name_of(home):
    return f"stele-{hashlib.sha256(home.encode()).hexdigest()[:16]}"


def home_of_socket_bytes(size):
    return "/srv/".ljust(size - len("/service.sock"), "h")


class SocketPlace(PluginCase):
    def setUp(self):
        super().setUp()
        self.place = importlib.import_module(self.plugin.__name__ + ".socket_place")

    def test_up_to_100_bytes_the_socket_lies_in_the_home(self):
        os.environ["XDG_RUNTIME_DIR"] = "/run/user/1000"
        for home in ("/h", home_of_socket_bytes(100)):
            self.assertEqual(self.place.socket_place(home), home + "/service.sock")

    def test_beyond_that_counted_in_bytes_it_lies_in_a_folder_of_its_own(self):
        for home in (home_of_socket_bytes(101), home_of_socket_bytes(3000), "/srv/" + "ä" * 50):
            os.environ["XDG_RUNTIME_DIR"] = "/run/user/1000"
            self.assertEqual(self.place.socket_place(home), f"/run/user/1000/{name_of(home)}/service.sock")
            for runtime in ("", "/" + "x" * 90):
                os.environ["XDG_RUNTIME_DIR"] = runtime
                self.assertEqual(self.place.socket_place(home), f"/tmp/{name_of(home)}-{os.getuid()}/service.sock")

    def test_the_temporary_folder_is_the_one_that_the_service_finds(self):
        home = home_of_socket_bytes(101)
        for variables, folder in (
            ({"TMPDIR": "/var/one", "TMP": "/two", "TEMP": "/three"}, "/var/one"),
            ({"TMPDIR": "/var/one/"}, "/var/one"),
            ({"TMPDIR": "", "TMP": "/two"}, "/two"),
            ({"TEMP": "/three"}, "/three"),
            ({"TMPDIR": "/" + "x" * 90}, "/tmp"),
        ):
            for name in ("TMPDIR", "TMP", "TEMP"):
                os.environ.pop(name, None)
            os.environ.update(variables)
            self.assertEqual(self.place.socket_place(home), f"{folder}/{name_of(home)}-{os.getuid()}/service.sock")

    def test_what_the_file_says_counts_where_it_is_a_folder_of_this_home(self):
        for home in ("/srv/home", home_of_socket_bytes(200)):
            for folder in (f"/run/user/7/{name_of(home)}", f"/somewhere/{name_of(home)}-1000"):
                self.assertEqual(self.place.known_socket_place(home, folder + "/service.sock"), folder + "/service.sock")

    def test_what_the_file_says_of_another_home_does_not_count(self):
        for home in ("/srv/home", home_of_socket_bytes(200)):
            own = self.place.socket_place(home)
            for told in (
                "",
                "service.sock",
                f"{name_of(home)}/service.sock",
                "/srv/other/service.sock",
                f"/run/user/7/{name_of('/srv/other')}/service.sock",
                f"/run/{name_of(home)}/other/service.sock",
                f"/run/{name_of(home)[:-1]}/service.sock",
            ):
                self.assertEqual(self.place.known_socket_place(home, told), own, told)


if __name__ == "__main__":
    unittest.main()
