#!/usr/bin/env python3
"""Verify a Stele ledger export, or the receipt for one entry, without Stele.

Written from docs/format.md alone ("the page"), with nothing but the standard library of
Python 3.9. The names are those of the page, and "step n" is a step of its section
'One word for one deed'. What only a store has (m rows, marks, tree rows) is not in an export;
fact A is judged by the member `hash`. Payload schemas are not checked.

    verify_export.py EXPORT.jsonl [--key VKEY] [--against FILE ...] [--json]
    verify_export.py --proof RECEIPT.txt [--key VKEY] [--entry ENTRY.json] [--json]

Exit status: 0 sound, 5 damaged, 2 bad usage or a file that cannot be opened.
"""
import argparse
import base64
import hashlib
import json
import re
import sys
from bisect import bisect_right
from datetime import datetime
from decimal import Decimal

HEADER = ("v", "ledger", "epoch", "index", "time", "type", "version", "session", "payload", "prev")
BESIDE = set(HEADER) | {"hash", "salt", "data", "wordsSalt", "words", "erased", "withheld", "raw"}
NUMBERS = ("v", "epoch", "index", "version")
STARTS = ("ledger.reanchored", "ledger.restored")
KEY_TYPES = ("ledger.created", "key.rotated") + STARTS
# Findings that say that the hashes below a size are not the signed ones (steps 1 to 5 and 7).
EXPLAIN_A_ROOT = {"store_unreadable", "header_altered", "tree_altered", "link_broken", "entry_missing",
                  "entry_duplicated", "entry_foreign", "version_unknown"}
sys.setrecursionlimit(4000)  # nested JSON; what is deeper still counts as unreadable


# --- JSON and its canonical form: RFC 8259, RFC 8785 ---

class Obj(dict):
    """A JSON object that remembers whether a member name stood in it twice."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.twice = len(self) != len(pairs)


def refuse(token):
    """NaN and the infinities are not JSON (RFC 8259, section 6)."""
    raise ValueError(token)


def parse(text):
    """The JSON value in `text`, or None where it is none; numbers become IEEE doubles or exact small integers."""
    try:
        return json.loads(text, object_pairs_hook=Obj, parse_constant=refuse,
                          parse_int=lambda token: int(token) if len(token) < 16 else float(token))
    except (ValueError, RecursionError):
        return None


def number_text(x):
    """A double as ECMAScript writes it (RFC 8785, section 3.2.2.3), from the shortest digits that repr() finds."""
    if x != x or x in (float("inf"), float("-inf")):
        raise ValueError("not a finite number")
    if x == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(x)).as_tuple()
    point = len(digits) + exponent  # the decimal point stands behind so many digits
    digits = "".join(map(str, digits)).rstrip("0")
    count = len(digits)
    if 0 < point <= 21:
        text = digits.ljust(point, "0")[:point] + ("." + digits[point:] if count > point else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if count > 1 else "") + "e%+d" % (point - 1)
    return "-" + text if sign else text


def canonical(x):
    """RFC 8785 text of a parsed value; ValueError where it has none (a name twice, a lone surrogate, an overflow)."""
    if x is None or isinstance(x, bool):
        return {None: "null", True: "true", False: "false"}[x]
    if isinstance(x, int):
        return str(x)
    if isinstance(x, float):
        return number_text(x)
    if isinstance(x, str):
        x.encode("utf-8")  # refuses lone surrogates
        return json.dumps(x, ensure_ascii=False)
    if isinstance(x, list):
        return "[" + ",".join(map(canonical, x)) + "]"
    if getattr(x, "twice", False):
        raise ValueError("a member name stands twice")
    names = sorted(x, key=lambda name: name.encode("utf-16-be", "surrogatepass"))  # section 3.2.3
    return "{" + ",".join(canonical(name) + ":" + canonical(x[name]) for name in names) + "}"


def same(value, text):
    """Is `text` the canonical form of `value`: the same as JSON, and canonical as bytes?"""
    try:
        return canonical(value) == text
    except (ValueError, RecursionError):
        return False


def is_int(x):
    """A whole number from 0, and not a truth value."""
    return isinstance(x, int) and not isinstance(x, bool) and x >= 0


def is_hex(x, length):
    """A string of exactly so many lower-case hex digits."""
    return isinstance(x, str) and re.fullmatch("[0-9a-f]{%d}" % length, x) is not None


def unbase64(text):
    """The bytes of strict standard base64 (RFC 4648, section 4, unused bits zero), or None."""
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


# --- Hashes and the tree: RFC 6962, section 2.1 ---

def sha256(data):
    """SHA-256."""
    return hashlib.sha256(data).digest()


def utf8(text):
    """The bytes of a string; a lone surrogate gives bytes that no writer hashed."""
    return text.encode("utf-8", "surrogatepass")


def commitment(kind, salt, text):
    """The commitment of a payload or of words, in hex."""
    return sha256(b"stele/%s/v1\n%s\n%s" % (kind.encode(), utf8(salt), utf8(text))).hex()


def node(left, right):
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right)


class Tree:
    """A Merkle tree that keeps only the roots of its complete subtrees, the largest first."""

    def __init__(self):
        self.size, self.subtrees = 0, []

    def add(self, leaf):
        """Append a leaf hash; one merge for each trailing zero bit of the new size."""
        self.size += 1
        size = self.size
        while size % 2 == 0:
            leaf, size = node(self.subtrees.pop(), leaf), size // 2
        self.subtrees.append(leaf)

    def root(self):
        """The root over all leaves so far."""
        if not self.subtrees:
            return sha256(b"")
        root = self.subtrees[-1]
        for left in reversed(self.subtrees[:-1]):
            root = node(left, root)
        return root


def root_from_path(index, size, leaf, path):
    """The root that an inclusion path leads to (RFC 9162, section 2.1.3.2), or None where its length is wrong."""
    last = size - 1
    for sibling in path:
        if last == 0:
            return None
        if index % 2 or index == last:
            leaf = node(sibling, leaf)
            while index and index % 2 == 0:  # on the right edge: levels without a sibling
                index, last = index // 2, last // 2
        else:
            leaf = node(leaf, sibling)
        index, last = index // 2, last // 2
    return leaf if last == 0 else None


# --- Ed25519 verification: RFC 8032, section 5.1 ---

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)


def point_decode(data):
    """The point that 32 bytes encode, as (X, Y, Z, T), or None (section 5.1.3)."""
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y & (2 ** 255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * SQRT_MINUS_1 % P
    if x * x % P != square or (x == 0 and odd):
        return None
    if x % 2 != odd:
        x = P - x
    return (x, y, 1, x * y % P)


def point_add(p, q):
    """The sum of two points (section 5.1.4)."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_multiply(scalar, point):
    """`scalar` times `point`, by doubling and adding; nothing here is secret."""
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = point_add(total, point)
        point, scalar = point_add(point, point), scalar >> 1
    return total


def point_encode(point):
    """The 32 bytes of a point (section 5.1.2)."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = point_decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def signature_holds(public, message, signature):
    """Is it an Ed25519 signature (section 5.1.7, the equation without the cofactor: R = sB - kA)?"""
    a, s = point_decode(public), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    minus_a = (P - a[0], a[1], a[2], P - a[3])
    return point_encode(point_add(point_multiply(s, BASE), point_multiply(k, minus_a))) == signature[:32]


# --- Verifier keys and checkpoints: C2SP signed-note, C2SP tlog-checkpoint ---

class Key:
    """A key in force in one epoch, for checkpoints larger than `since`."""

    def __init__(self, name, public, epoch=0, since=0):
        self.name, self.public, self.epoch, self.since = name, public, epoch, since
        self.id = sha256(utf8(name) + b"\n\x01" + public)[:4]


def read_vkey(text, epoch=0, since=0):
    """The key of a vkey string `name+hex8(key id)+base64(0x01, public key)`, or None."""
    parts = text.split("+", 2) if isinstance(text, str) else []
    data = unbase64(parts[2]) if len(parts) == 3 else None
    if data is None or len(data) != 33 or data[0] != 1 or not parts[0] or re.search(r"\s", parts[0]):
        return None
    key = Key(parts[0], data[1:], epoch, since)
    return key if key.id.hex() == parts[1] else None


class Note:
    """A checkpoint: origin, size, root, the text that is signed, and signatures as (name, key id, signature)."""

    def __init__(self, text):
        """ValueError where the note cannot be read."""
        body, blank, tail = text.rpartition("\n\n")
        lines, signatures = body.split("\n"), tail.split("\n")
        if not blank or len(lines) < 3 or "" in lines or len(signatures) < 2 or signatures.pop() != "":
            raise ValueError("not a signed note")
        self.signed, self.origin, self.signatures = utf8(body + "\n"), lines[0], []
        root = unbase64(lines[2])
        if not re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]) or root is None or len(root) != 32:
            raise ValueError("not a checkpoint")
        self.size, self.root = int(lines[1]), root
        for line in signatures:
            dash, name, data = (line.split(" ") + ["", ""])[:3] if line.count(" ") == 2 else ("", "", "")
            data = unbase64(data)
            if dash != "\u2014" or not name or data is None or len(data) < 5:
                raise ValueError("not a signature line")
            self.signatures.append((name, data[:4], data[4:]))


def read_note(text):
    """The checkpoint in `text`, or None."""
    try:
        return Note(text)
    except ValueError:
        return None


def signed_by(note, in_force):
    """(key, None) of a checkpoint whose signature holds, else (None, code); `in_force` finds a key, or None (step 9)."""
    if note is None:
        return None, "checkpoint_forged"
    found = None
    for name, key_id, signature in note.signatures:
        key = in_force(name, key_id, note.size)
        if key is not None:
            if name != note.origin or not signature_holds(key.public, note.signed, signature):
                return None, "checkpoint_forged"
            found = key
    return (found, None) if found else (None, "key_unknown")


# --- One entry, by itself: step 2, fact A, step 6 ---

def milliseconds(time):
    """A header's time in milliseconds since 1970, or None."""
    try:
        return round((datetime.fromisoformat(time[:-1]) - datetime(1970, 1, 1)).total_seconds() * 1000)
    except (TypeError, ValueError):
        return None


def misfit(kind, digest, salt, value, text):
    """Why `value` and its stored string `text` do not fit their commitment, or None where they do (steps 2 and 6)."""
    if not is_hex(salt, 32) or not isinstance(value, dict) or not isinstance(text, str):
        return "a part of the %s is missing or malformed" % kind
    if commitment(kind, salt, text) != digest:
        return "the %s: commitment and bytes do not fit" % kind
    return None if same(value, text) else "the stored %s is not canonical or differs from the member beside it" % kind


class Entry:
    """One line of an export, judged as far as it can be judged alone."""

    def __init__(self, line):
        self.line, self.raw = line, line.get("raw") if isinstance(line.get("raw"), Obj) else Obj([])
        text = self.raw.get("header") if isinstance(self.raw.get("header"), str) else None
        header = parse(text) if text else None
        self.header = header if isinstance(header, dict) else {}
        self.type, self.index = self.header.get("type"), self.header.get("index") if is_int(self.header.get("index")) else None
        self.hash = "" if text is None else sha256(b"\x00" + utf8(text)).hex()
        self.a = text is not None and line.get("hash") == self.hash  # fact A
        self.fault = self.header_fault(text)
        self.body, self.payload, self.words = [], None, ""  # findings; the payload where it fits; "present", "absent" or ""
        self.judge_payload()

    def header_fault(self, text):
        """What is wrong with the header part of the line (step 2), or None."""
        if self.line.twice or self.raw.twice:
            return "a member stands twice in the line"
        if not set(self.line) <= BESIDE or not set(self.raw) <= {"header", "payload", "words"}:
            return "a member that no entry has"
        if not same({name: self.line[name] for name in HEADER if name in self.line}, text):
            return "raw.header is missing, not canonical, or differs from the fields beside it"
        shaped = set(self.header) == set(HEADER) and all(
            is_int(self.header[name]) if name in NUMBERS else isinstance(self.header[name], str) for name in HEADER)
        return None if shaped else "a header field is missing or not of its type"

    def judge_payload(self):
        """The payload against its commitment in the header; only under a payload that fits, the words."""
        if "data" not in self.line and "payload" not in self.raw:
            self.body.append(("payload_missing", "no payload"))
            return
        data = self.line.get("data")
        why = misfit("payload", self.header.get("payload"), self.line.get("salt"), data, self.raw.get("payload"))
        if why:
            self.body.append(("payload_altered", why))
        else:
            self.payload = data
            self.judge_words(data["words"] or "" if "words" in data else None)

    def judge_words(self, digest):
        """The words against their commitment in the payload; whether absent ones may be absent is asked at the end."""
        beside = {"wordsSalt", "words", "erased", "withheld"} & set(self.line)
        present = "words" in beside or "words" in self.raw
        if digest is None and present:
            self.body.append(("words_altered", "words though the payload commits to none"))
        elif digest is None and beside or present and beside & {"erased", "withheld"} or not present and "wordsSalt" in beside:
            self.body.append(("header_altered", "a member about words that does not belong to this entry"))
        elif digest is not None:
            self.words = "present" if present else "absent"
            why = present and misfit("words", digest, self.line.get("wordsSalt"), self.line.get("words"), self.raw.get("words"))
            if why:
                self.body.append(("words_altered", why))

    def erased_ranges(self):
        """The pairs of a payload.erased, also where it is altered, as long as they can be read (step 6)."""
        if "payload.erased" not in (self.type, self.line.get("type")):
            return []
        stored = self.raw.get("payload")
        payloads = [parse(stored) if isinstance(stored, str) else None, self.line.get("data")]
        lists = [payload.get("entries") for payload in payloads if isinstance(payload, dict)]
        return [tuple(pair) for pairs in lists if isinstance(pairs, list) for pair in pairs
                if isinstance(pair, list) and len(pair) == 2 and all(map(is_int, pair)) and pair[0] <= pair[1]]


def within(ranges, number):
    """Does one of the ranges, sorted and joined by `merge`, hold the number?"""
    place = bisect_right(ranges, (number, float("inf"))) - 1
    return place >= 0 and ranges[place][1] >= number


def merge(ranges):
    """Ranges in order, those that touch or overlap joined."""
    joined = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            first, last = joined[-1][0], max(last, joined.pop()[1])
        joined.append((first, last))
    return joined


# --- The whole ledger ---

class Verifier:
    """Takes the lines of an export in order, then judges what only the whole can show."""

    def __init__(self, pinned, checkpoints):
        self.pinned, self.checkpoints = pinned, checkpoints  # checkpoints: (Note or None, from outside?)
        self.findings, self.notes = [], []
        self.tree, self.roots, self.head = Tree(), {0: sha256(b"")}, None
        self.wanted = {note.size for note, _ in checkpoints if note}
        self.ledger, self.epoch, self.keys, self.abandons = None, 0, [], []
        self.held = self.before = None  # the entry that waits for the next one's word, and the one settled before it
        self.last, self.skipped, self.torn = -1, 0, False  # last number; lines behind it without one; one was unreadable
        self.runs, self.fillers = [], []  # numbers in order of the lines, as runs; numbers that are told otherwise
        self.doubt = float("inf")  # from this index on a key may be lost in damage that is told already
        self.present, self.absent, self.erasers = [], [], {}
        self.stopped, self.erased, self.covered, self.anchor = False, 0, 0, 0
        self.counts = {"checked": 0, "anchored": 0, "abandoned": 0}

    def find(self, code, index, message, into=None):
        """Record a finding, or a note, which does not make a ledger unsound."""
        (self.findings if into is None else into).append({"code": code, "index": index, "message": message})

    def due(self):
        """The number that the next line should carry."""
        return self.last + 1 + self.skipped

    # Line by line.

    def take_unreadable(self):
        """A line in the middle that is not a JSON object (step 1)."""
        self.settle_held(None)
        self.find("store_unreadable", self.due(), "the line is not a JSON object")
        self.doubt = min(self.doubt, self.due())
        self.skipped, self.torn = self.skipped + 1, True

    def take(self, entry):
        """The next entry: it judges the one before, then waits for its own judge."""
        self.settle_held(entry)
        if entry.a and entry.header.get("v") != 1:
            self.find("version_unknown", self.due(), "another format version; nothing behind it is judged")
            self.stopped = True
            return
        entry.foreign = entry.a and self.is_foreign(entry)
        entry.link_broken = entry.a and not entry.foreign and self.breaks_link(entry)
        if not entry.foreign:
            self.learn_keys(entry, self.due() if entry.index is None else entry.index)
        self.head = entry.hash or None
        self.tree.add(bytes.fromhex(entry.hash))
        if self.tree.size in self.wanted:
            self.roots[self.tree.size] = self.tree.root()
        self.held = entry

    def is_foreign(self, entry):
        """Is it of another ledger, or of an epoch that nothing started (step 4)?"""
        ledger, epoch = entry.header.get("ledger"), entry.header.get("epoch")
        self.ledger = self.ledger or ledger
        if ledger != self.ledger or not is_int(epoch) or epoch < self.epoch:
            return True
        lost = self.torn or self.before and not self.before.a or entry.index not in (self.last + 1, self.due())
        if not lost and (epoch > self.epoch) != (entry.type in STARTS):
            return True
        self.epoch = epoch  # where `lost`, its start may lie in the damage right before, which is told already
        return False

    def breaks_link(self, entry):
        """Does fact B fail between two numbers that follow each other (step 3)? Between others fact C tells it."""
        if self.skipped or entry.index != self.last + 1:
            return False
        if self.before is None:
            return entry.header.get("prev") != "0" * 64
        return self.before.a and not self.before.fault and entry.header.get("prev") not in self.before.hashes

    def settle_held(self, following):
        """Let the entry that stands right behind judge fact B of the one that waits."""
        if self.held is not None:
            self.settle(self.held, following is not None and following.a and following.header.get("prev") == self.held.hash)
            self.held = None

    def settle(self, entry, b):
        """Say the one word for an entry's header, then those for payload and words (steps 3, 4 and 6)."""
        if entry.foreign:
            number = entry.index if entry.index is not None and entry.header.get("ledger") == self.ledger else self.due()
            self.find("entry_foreign", number, "another ledger's entry, or an epoch that nothing started")
            self.fillers.append((number, number))
            self.skipped, self.before = self.skipped + 1, None
            return
        trusted = (entry.a or b) and entry.index is not None
        entry.number = entry.index if trusted else self.due()
        code = why = None
        if entry.fault or not (entry.a or b):
            code, why = "header_altered", entry.fault or "neither its hash nor the link behind it fits the header"
        elif not entry.a:
            code, why = "tree_altered", "the hash kept with it is not that of its header"
        elif entry.link_broken:
            code, why = "link_broken", "its prev is not the hash of the entry before"
        if code:
            self.find(code, entry.number, why)
        if code in (None, "tree_altered"):
            for body_code, message in entry.body:
                self.find(body_code, entry.number, message)
            if entry.words == "present":
                self.present.append(entry.number)
            elif entry.words == "absent":
                self.absent.append((entry.number, entry.line.get("erased"), entry.line.get("withheld") is True))
        self.judge_clock(entry, code)
        self.count(entry, entry.number, trusted)

    def judge_clock(self, entry, code):
        """clock_backwards, a note, between two sound headers that follow each other."""
        entry.time = None if code else milliseconds(entry.header.get("time"))
        if self.before and None not in (entry.time, self.before.time) and entry.number == self.last + 1:
            if entry.time < self.before.time - 1000 and entry.type not in ("clock.stepped",) + STARTS:
                self.find("clock_backwards", entry.number, "more than a second before the entry before it", self.notes)

    def count(self, entry, number, trusted):
        """Put the number of a settled entry into the runs that fact C is judged by, and keep what it erases."""
        if self.torn and number > self.last + 1:
            self.fillers.append((self.last + 1, number - 1))
        if not trusted:  # an altered entry fills its place, and is no second one of that number
            self.fillers.append((number, number))
        elif self.runs and self.runs[-1][1] + 1 == number:
            self.runs[-1] = (self.runs[-1][0], number)
        else:
            self.runs.append((number, number))
        entry.hashes = {entry.hash}
        if self.before and self.before.number == number:
            entry.hashes |= self.before.hashes  # the link behind two of one number may fit either
        self.last, self.skipped, self.torn, self.before = number, 0, False, entry
        ranges = [pair for pair in entry.erased_ranges() if pair[1] < number]
        if ranges:
            self.erasers[number] = merge(ranges + self.erasers.get(number, []))

    # Keys (step 10).

    def learn_keys(self, entry, index):
        """What an entry says about keys, where its payload fits; a finding only where its header is sound too."""
        if not entry.a or entry.fault or entry.type in KEY_TYPES and entry.payload is None:
            self.doubt = min(self.doubt, self.due())
        if entry.type not in KEY_TYPES or entry.payload is None or (entry.type == "ledger.created") == bool(self.keys):
            return
        if entry.type == "ledger.created":
            key = read_vkey(entry.payload.get("vkey")) if index == 0 else None
        elif entry.type == "key.rotated":
            key = self.rotated(entry, index)
        else:
            key = self.started(entry, index)
        if key:
            self.keys.append(key)
        elif index < self.doubt and entry.a and not entry.fault and not entry.link_broken:
            self.find("key_unknown", index, "%s does not carry on the key in force" % entry.type)

    def started(self, entry, index):
        """The key that the first entry of an epoch names, if its public key is the one in force; and what it abandons."""
        abandoned = entry.payload.get("abandoned")
        if isinstance(abandoned, dict) and is_int(abandoned.get("epoch")) and is_int(abandoned.get("size")):
            self.abandons.append((self.keys[-1].epoch, abandoned["epoch"], abandoned["size"], index))
        epoch = entry.header.get("epoch")
        key = read_vkey(entry.payload.get("vkey"), epoch if is_int(epoch) else self.epoch, index)
        return key if key and key.public == self.keys[-1].public else None

    def rotated(self, entry, index):
        """The new key of a key.rotated, if both signatures hold and oldVkey is the one in force."""
        names = [entry.payload.get(name) for name in ("oldVkey", "newVkey")]
        old, new = read_vkey(names[0]), read_vkey(names[1], self.keys[-1].epoch, index)
        if not old or not new or (old.name, old.public) != (self.keys[-1].name, self.keys[-1].public):
            return None
        text = utf8("stele/key-rotated/v1\n%s\n%d\n%s\n%s\n" % (entry.header.get("ledger"), index, names[0], names[1]))
        signed = [signature_holds(key.public, text, unbase64(entry.payload.get(name)) or b"")
                  for key, name in ((old, "oldSignature"), (new, "newSignature"))]
        return new if all(signed) else None

    def in_force(self, name, key_id, size):
        """The key of that name and id, if it was in force at that size in its own epoch."""
        for epoch in {key.epoch for key in self.keys if key.name == name}:
            known = [key for key in self.keys if key.epoch == epoch and (key.since < size or size == key.since == 0)]
            if known and (known[-1].name, known[-1].id) == (name, key_id):
                return known[-1]
        lost = re.fullmatch(r"(?:.*/)?%s/([1-9][0-9]*)" % (self.ledger or "-"), name)
        epoch = int(lost.group(1)) if lost else 0
        if lost and (epoch > self.epoch or any(since <= epoch <= last for since, last, _, _ in self.abandons)):
            named = [Key(name, key.public, epoch) for key in self.keys]  # a branch that was lost may have had it
            return next((key for key in named if key.id == key_id), None)
        return None

    # After the last line.

    def finish(self):
        """Everything that needs the whole: the last link, the numbers, erasures, keys, checkpoints."""
        if self.stopped:
            return
        judged = [(note, outside) + signed_by(note, self.in_force) for note, outside in self.checkpoints]
        if self.held is not None:  # B of the last entry: a checkpoint of exactly this size says so (step 3)
            self.settle(self.held, any(key and note.size == self.tree.size and note.root == self.tree.root()
                                       for note, _, key, _ in judged))
        self.judge_numbers()
        self.judge_order()
        self.judge_erasures()
        if not self.tree.size:
            self.doubt = -1
            if not self.findings:
                self.find("truncated", None, "no entries")
        if self.pinned and self.doubt == float("inf") and self.pinned.public not in [key.public for key in self.keys]:
            self.find("key_unknown", None, "the key pinned by --key was never in force in this ledger")
        self.judge_checkpoints(judged)
        self.findings.sort(key=lambda finding: (finding["index"] is None, finding["index"] or 0))

    def judge_numbers(self):
        """Fact C: numbers that never come, and numbers that come twice (step 5)."""
        highest, twice = -1, set()
        for first, last in merge(self.runs + self.fillers):
            if first > highest + 1:
                self.find("entry_missing", highest + 1, "numbers %d to %d never come" % (highest + 1, first - 1))
                self.doubt = min(self.doubt, highest + 1)
            highest = last
        highest = -1
        for first, last in sorted(self.runs):
            twice.update(range(first, min(last, highest) + 1))
            highest = max(highest, last)
        for number in sorted(twice):
            self.find("entry_duplicated", number, "the number comes more than once")

    def judge_order(self):
        """Fact C: numbers that all come, in another order; runs that only repeat a part of another are left out."""
        rank, highest = {}, -1
        for place in sorted(range(len(self.runs)), key=lambda i: (self.runs[i][0], -self.runs[i][1])):
            if self.runs[place][1] > highest:
                rank[place], highest = len(rank), self.runs[place][1]
        disturbed, furthest = False, -1
        for done, place in enumerate(sorted(rank)):
            if rank[place] != done and not disturbed:
                disturbed = True
                self.find("link_broken", self.runs[place][0], "it stands where a lower number was due")
            furthest = max(furthest, rank[place])
            disturbed = disturbed and furthest != done

    def judge_erasures(self):
        """Are absent words named by a later payload.erased, and are those named really gone (steps 2 and 6)?"""
        named, withheld = merge([pair for ranges in self.erasers.values() for pair in ranges]), 0
        for number, erased, is_withheld in self.absent:
            self.erased += within(named, number)
            withheld += is_withheld
            if not is_withheld and not (is_int(erased) and erased > number and within(self.erasers.get(erased, []), number)):
                self.find("words_missing", number, "no words, and `erased` names no later payload.erased that names the entry")
        for number in self.present:
            if within(named, number):
                self.find("erasure_unfinished", number, "its words are erased, but still here", self.notes)
        if withheld:
            self.find("words_withheld", None, "the words of %d entries are withheld" % withheld, self.notes)

    def judge_checkpoints(self, judged):
        """Signatures, then roots: abandoned, truncated, forked (step 9)."""
        end, beyond, forks, fitting = max([last for _, last in self.runs + self.fillers], default=-1) + 1, [], [], []
        for note, outside, key, code in judged:
            if code == "key_unknown" and note.size > self.doubt:
                continue
            if code:
                self.find(code, None, "not readable as a checkpoint" if note is None else
                          "the checkpoint of size %d is not signed by the key in force there" % note.size)
                continue
            self.counts["checked"] += 1
            if self.roots.get(note.size) == note.root:
                fitting.append((note.size, outside))
            elif any(since <= key.epoch <= epoch and (key.epoch < epoch or note.size <= size)
                     and (note.size > first or size <= first)  # what both branches share must fit
                     for since, epoch, size, first in self.abandons):
                self.counts["abandoned"] += 1
            else:
                (beyond if note.size > end else forks).append(note.size)
        if beyond and not self.torn and "truncated" not in [finding["code"] for finding in self.findings]:
            self.find("truncated", None, "a checkpoint says size %d, but the entries end at %d" % (max(beyond), end))
        damage = [finding["index"] for finding in self.findings if finding["code"] in EXPLAIN_A_ROOT]
        if forks and min(damage, default=min(forks)) >= min(forks):
            self.find("forked", None, "the checkpoint of size %d has another root" % min(forks))
        self.counts["anchored"] = sum(outside and size > 0 for size, outside in fitting)
        self.covered = max([size for size, _ in fitting], default=0)
        if self.covered < self.tree.size and not self.findings:
            self.find("not_covered", None, "entries from %d on stand behind the newest checkpoint" % self.covered, self.notes)
        self.anchor = max([size for size, outside in fitting if outside], default=0)

    def report(self):
        """The result as one object, and what is said beside it."""
        said = ["key pinned by --key" if self.pinned else "key taken on trust" if self.keys else "no key known"]
        assurance = "none"
        if not self.findings:
            assurance = "consistent" if self.covered < self.tree.size else "anchored" if self.anchor else "signed"
            said += ["anchored up to size %d" % self.anchor] if self.anchor else []
        return {"ok": not self.findings, "assurance": assurance, "size": self.tree.size,
                "head": self.head, "root": self.tree.root().hex(), "findings": self.findings, "notes": self.notes,
                "checkpoints": self.counts, "erased": self.erased, "epoch": self.epoch}, said


# --- Files ---

def read_text(path):
    """A whole small file as text; what is not UTF-8 becomes U+FFFD."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def read_against(path):
    """The notes of a file: one JSON string a line, or one plain note; a torn last line is ignored (step 9)."""
    text = read_text(path)
    if not text.lstrip().startswith('"'):
        return [read_note(text)]
    *lines, torn = text.split("\n")
    values = [parse(line) for line in lines if line.strip()] + ([parse(torn)] if isinstance(parse(torn), str) else [])
    return [read_note(value) if isinstance(value, str) else None for value in values]


def judge_last_line(data):
    """(is it an entry? the note or None, a code or None) of the last line (step 1)."""
    value = parse(data.decode("utf-8", "replace"))
    if isinstance(value, Obj) and ("raw" in value or "index" in value):
        return True, None, "truncated"
    if value is None and not data.endswith(b"\n"):  # also a file without lines
        return False, None, "truncated"
    text = value["checkpoint"] if isinstance(value, Obj) and set(value) == {"checkpoint"} and not value.twice else None
    note = read_note(text) if isinstance(text, str) else None
    return False, note, None if note else "checkpoint_forged"


def verify_export(path, pinned, against):
    """Read the file twice: first for its last line, whose size tells which root to keep, then line by line."""
    count, last = 0, b""
    with open(path, "rb") as file:
        for last in file:
            count += 1
    is_entry, note, code = judge_last_line(last)
    checkpoints = [(note, False)] if note else []
    for name in against:
        checkpoints += [(outside, True) for outside in read_against(name)]
    verifier = Verifier(pinned, checkpoints)
    with open(path, "rb") as file:
        for place, data in enumerate(file, 1):
            if verifier.stopped or place == count and not is_entry:
                break
            line = parse(data.decode("utf-8", "replace"))
            if isinstance(line, Obj):
                verifier.take(Entry(line))
            else:
                verifier.take_unreadable()
    if code and not verifier.stopped:
        verifier.find(code, None, "the last line is not a readable checkpoint")
    verifier.finish()
    return verifier.report()


# --- Receipts: C2SP tlog-proof ---

class Usage(Exception):
    """The arguments do not fit the file."""


def read_receipt(text):
    """(extra or "", index, path, note) of a receipt; ValueError where it is none."""
    top, _, bottom = text.partition("\n\n")
    first, *lines = top.split("\n")
    extra = unbase64(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0)) if lines else None
    path = [unbase64(line) for line in lines]
    if first != "c2sp.org/tlog-proof@v1" or extra is None or not index or any(p is None or len(p) != 32 for p in path):
        raise ValueError("not a tlog-proof")
    return extra.decode("utf-8", "replace"), int(index[1]), path, Note(bottom)


def entry_of_extra(text):
    """The entry that `extra` carries, canonical {"header","payload","salt"}, set out as an export line; or None."""
    extra = parse(text)
    if not same(extra, text) or not isinstance(extra, Obj) or set(extra) != {"header", "payload", "salt"} \
            or not all(isinstance(value, str) for value in extra.values()):
        return None
    header = parse(extra["header"])
    line = Obj(list(header.items()) if isinstance(header, Obj) else [])
    line.update(hash=sha256(b"\x00" + utf8(extra["header"])).hex(), salt=extra["salt"], data=parse(extra["payload"]),
                raw=Obj([("header", extra["header"]), ("payload", extra["payload"])]))
    return Entry(line)


def judge_receipt_entry(entry, index, path, note):
    """The findings, as (code, message), for the entry of a receipt: header, inclusion, payload."""
    if entry is None:
        return [("store_unreadable", "the entry cannot be read")]
    if entry.a and entry.header.get("v") != 1:
        return [("version_unknown", "another format version")]
    fits = index < note.size and root_from_path(index, note.size, bytes.fromhex(entry.hash), path) == note.root
    if entry.fault or not entry.a and not fits:
        return [("header_altered", entry.fault or "neither its hash nor the path to the root fits the header")]
    if not entry.a or not fits:
        return [("tree_altered", "the hash kept with it, or the path to the root, does not fit the header")]
    if entry.index != index or entry.header["ledger"] not in note.origin.split("/"):
        return [("entry_foreign", "the entry has another index, or the checkpoint is another ledger's")]
    return entry.body


def verify_receipt(path, pinned, entry_path):
    """One entry, its inclusion and the checkpoint's signature; without --key nobody says whose signature it should be."""
    verifier, entry, note = Verifier(pinned, []), None, None
    line = parse(read_text(entry_path)) if entry_path else None
    text = read_text(path)
    try:
        extra, index, proof, note = read_receipt(text)
    except ValueError:
        verifier.find("store_unreadable", None, "the receipt cannot be read")
    if note:
        if not extra and not entry_path:
            raise Usage("this receipt has no extra: --entry must give the export line")
        entry = entry_of_extra(extra) if extra else Entry(line) if isinstance(line, Obj) else None
        for code, message in judge_receipt_entry(entry, index, proof, note):
            verifier.find(code, index, message)
        if pinned:  # the pinned public key, whatever name stands before it
            _, code = signed_by(note, lambda name, key_id, _: next(
                (key for key in [Key(name, pinned.public)] if key.id == key_id), None))
            if code:
                verifier.find(code, None, "the checkpoint is not signed by the key pinned by --key")
            verifier.counts["checked"] = int(not code)
    report, _ = verifier.report()
    assurance = "none" if verifier.findings else "signed" if pinned else "consistent"
    report.update(assurance=assurance, size=note.size if note else 0, root=note.root.hex() if note else None,
                  epoch=entry.header["epoch"] if entry and not entry.fault else 0)
    return report, ["signature checked under --key" if pinned else "signature not checked: no --key"]


# --- Command line ---

def plain(text):
    """Text for a terminal: nothing that is not printable passes as it is."""
    return "".join(c if c.isprintable() else "\\u{%x}" % ord(c) for c in text)


def show(report, said):
    """A few plain lines."""
    sys.stdout.reconfigure(errors="backslashreplace")
    print("%s: %s; size %d, epoch %d, erased %d, checkpoints %d" % (
        "sound" if report["ok"] else "DAMAGED", report["assurance"], report["size"], report["epoch"], report["erased"],
        report["checkpoints"]["checked"]))
    for name in ("head", "root"):
        print("%s %s" % (name, report[name]))
    for line in said:
        print(plain(line))
    for kind in ("findings", "notes"):
        for told in report[kind]:
            place = "" if told["index"] is None else " at %d" % told["index"]
            print(plain("%s %s%s: %s" % (kind[:-1], told["code"], place, told["message"])))


def main():
    """Read the arguments, verify, print, and return the exit status."""
    parser = argparse.ArgumentParser(description="Verify a Stele ledger export or a receipt, from docs/format.md alone.")
    parser.add_argument("export", nargs="?", metavar="EXPORT.jsonl")
    parser.add_argument("--key", metavar="VKEY", help="the verifier key printed at init")
    parser.add_argument("--against", nargs="+", action="extend", default=[], metavar="FILE", help="checkpoints from outside")
    parser.add_argument("--proof", metavar="RECEIPT.txt", help="a C2SP tlog-proof instead of an export")
    parser.add_argument("--entry", metavar="ENTRY.json", help="the export line of the receipt's entry")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    pinned = read_vkey(options.key) if options.key else None
    if options.key and pinned is None:
        parser.error("--key is not a verifier key")
    if (options.export is None) == (options.proof is None) or options.proof and options.against \
            or options.entry and not options.proof:
        parser.error("give either EXPORT.jsonl (with --against) or --proof (with --entry)")
    try:
        report, said = (verify_receipt(options.proof, pinned, options.entry) if options.proof
                        else verify_export(options.export, pinned, options.against))
    except (OSError, Usage) as error:
        parser.error(str(error))
    if options.json:
        print(json.dumps(report))
    else:
        show(report, said)
    return 0 if report["ok"] else 5


if __name__ == "__main__":
    sys.exit(main())
