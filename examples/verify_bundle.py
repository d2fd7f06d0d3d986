#!/usr/bin/env python3
"""Verify a Stele evidence bundle without Stele: chosen entries, each with its proof, under one signed head.

A bundle is a text file. Each line but the last is an entry, as a line of an export, or the
receipt of the entry before it, as {"receipt": TEXT}; the last line says what the bundle is and
holds this very program, so that the bundle verifies by itself. Whoever does not trust the
program in it runs this one, beside verify_export.py, and gives the key that they pinned:

    verify_bundle.py BUNDLE [--key VKEY] [--json]

Exit status: 0 sound, 5 damaged, 2 bad usage or a file that cannot be opened.
"""
import argparse
import json
import sys

import verify_export as ledger


def read_bundle(path):
    """([(line, receipt or None)], what the last line says or None) of a bundle."""
    with open(path, "rb") as file:
        lines = [ledger.parse(line.decode("utf-8", "replace")) for line in file]
    about = lines.pop() if lines and isinstance(lines[-1], ledger.Obj) and "bundle" in lines[-1] else None
    entries = []
    for line in lines:
        if isinstance(line, ledger.Obj) and set(line) == {"receipt"} and entries and entries[-1][1] is None:
            entries[-1] = (entries[-1][0], line["receipt"])
        else:
            entries.append((line, None))
    return entries, about


def judge_entry(line, receipt, signed):
    """(index or None, note or None, findings) of an entry and its receipt; `signed` judges the signature of a note."""
    entry = ledger.Entry(line) if isinstance(line, ledger.Obj) else None
    index = entry.index if entry else None
    try:
        extra, proved, path, note = ledger.read_receipt(receipt if isinstance(receipt, str) else "")
    except ValueError:
        return index, None, [("receipt_unreadable", "there is no receipt that can be read for it")]
    findings = list(ledger.judge_receipt_entry(entry, proved, path, note))
    carried = ledger.entry_of_extra(extra)
    if carried is None or entry is not None and carried.hash != entry.hash:
        findings.append(("receipt_foreign", "its receipt is for another entry"))
    code = signed(note)
    if code:
        findings.append((code, "the head is not signed by the key"))
    return index, note, findings


def verify_bundle(path, pinned):
    """The result as one object, and what is said beside it."""
    entries, about = read_bundle(path)
    findings, heads, seen, withheld = [], {}, set(), 0
    key = pinned or ledger.read_vkey(about.get("vkey") if about else None)
    judged = {}

    def signed(note):
        if note.signed not in judged:
            find = lambda name, key_id, _: next((k for k in [ledger.Key(name, key.public)] if k.id == key_id), None)
            judged[note.signed] = "key_unknown" if key is None else ledger.signed_by(note, find)[1]
        return judged[note.signed]

    for line, receipt in entries:
        index, note, found = judge_entry(line, receipt, signed)
        findings += [{"code": code, "index": index, "message": message} for code, message in found]
        if index is not None and index in seen:
            findings.append({"code": "entry_duplicated", "index": index, "message": "the entry comes more than once"})
        seen.add(index)
        withheld += isinstance(line, ledger.Obj) and ("withheld" in line or "erased" in line)
        if note is not None:
            heads[(note.origin, note.size, note.root)] = note
    if about is None:
        findings.append({"code": "truncated", "index": None, "message": "the last line does not say what the bundle is"})
    elif about.get("entries") != len(entries):
        findings.append({"code": "truncated", "index": None, "message": "it should hold %s entries and holds %d" % (
            about.get("entries"), len(entries))})
    if len(heads) > 1:
        findings.append({"code": "head_differs", "index": None, "message": "its receipts are under %d heads" % len(heads)})
    head = next(iter(heads.values()), None)
    said = ["key pinned by --key" if pinned else "key taken from the bundle: compare it with the one that you pinned"]
    if withheld:
        said.append("the words of %d entries are not in it" % withheld)
    return {"ok": not findings, "entries": len(entries), "size": head.size if head else 0, "origin": head.origin if head else None,
            "root": head.root.hex() if head else None, "withheld": withheld, "findings": findings}, said


def main():
    """Read the arguments, verify, print, and return the exit status."""
    parser = argparse.ArgumentParser(prog="verify_bundle.py", description="Verify a Stele evidence bundle, without Stele.")
    parser.add_argument("bundle", metavar="BUNDLE")
    parser.add_argument("--key", metavar="VKEY", help="the verifier key that you pinned")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    pinned = ledger.read_vkey(options.key) if options.key else None
    if options.key and pinned is None:
        parser.error("--key is not a verifier key")
    try:
        report, said = verify_bundle(options.bundle, pinned)
    except OSError as error:
        parser.error(str(error))
    if options.json:
        print(json.dumps(report))
    else:
        sys.stdout.reconfigure(errors="backslashreplace")
        print("%s: %d entries, each proved under the signed head of %d entries of %s" % (
            "sound" if report["ok"] else "DAMAGED", report["entries"], report["size"], ledger.plain(str(report["origin"]))))
        for line in said:
            print(line)
        for told in report["findings"]:
            place = "" if told["index"] is None else " at %d" % told["index"]
            print(ledger.plain("finding %s%s: %s" % (told["code"], place, told["message"])))
    return 0 if report["ok"] else 5


if __name__ == "__main__":
    sys.exit(main())
