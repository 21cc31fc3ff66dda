"""Reads the verdict files of `realm-bench conformance` with the clients that CI systems use.

    python3 -m venv clients && clients/bin/pip install junitparser tap.py more-itertools pyyaml
    realm-bench conformance --junit v.xml --tap=v.tap --json=v.json --csv v.csv --badge v.svg
    clients/bin/python Tests/Clients/read_verdicts.py v

`v` is what the file names begin with. Exits 1 at the first file that its client cannot read, or that counts otherwise
than the JSON does.
"""

import csv
import json
import sys
import xml.dom.minidom

stem = sys.argv[1]
document = json.load(open(f"{stem}.json"))
rules = document["rules"]
bad = {"violated", "vacuous", "flaky", "error"}


def forgiven(rule):
    known = rule.get("known") and rule["state"] in ("violated", "flaky")
    return rule["state"] in bad and (known or rule["level"] == "informative")


def counts():
    for state, number in document["counts"].items():
        if state != "rules":
            assert number == sum(rule["state"] == state for rule in rules), state
    assert document["counts"]["rules"] == len(rules)
    return f"{len(rules)} rules, {sum(map(forgiven, rules))} known to fall"


def junit():
    from junitparser import JUnitXml

    suites = JUnitXml.fromfile(f"{stem}.xml")
    cases = [case for suite in suites for case in suite]
    assert len(cases) == suites.tests == len(rules)
    for suite in suites:
        assert suite.tests == len(list(suite)), "counts differ from children"
    fallen = [rule for rule in rules if rule["state"] in bad and not forgiven(rule)]
    failures = sum(rule["state"] == "violated" for rule in fallen)
    assert (suites.failures, suites.errors) == (failures, len(fallen) - failures)
    passed = sum(case.is_passed for case in cases)
    assert passed == document["counts"]["holds"], passed
    return f"{suites.tests} tests, {suites.failures} failures, {suites.errors} errors, {suites.skipped} skipped"


def tap():
    from tap.parser import Parser

    lines = list(Parser().parse_file(f"{stem}.tap"))
    tests = [line for line in lines if line.category == "test"]
    unknown = [str(line) for line in lines if line.category == "unknown"]
    assert not unknown, unknown[0]
    assert len(tests) == len(rules)
    for test, rule in zip(tests, rules):
        assert rule["id"] in test.description, test.description
        assert test.ok == (rule["state"] not in bad), rule["id"]
        assert test.skip == (rule["state"] in ("skipped", "untested")), rule["id"]
        assert bool(test.todo) == forgiven(rule), rule["id"]
        assert bool(test.yaml_block) == (rule["state"] in bad), rule["id"]
    return f"{len(tests)} tests, {sum(test.todo for test in tests)} to do"


def table():
    rows = list(csv.DictReader(open(f"{stem}.csv", newline="")))
    assert [row["id"] for row in rows] == [rule["id"] for rule in rules]
    assert all(None not in row and None not in row.values() for row in rows)
    return f"{len(rows)} rows"


def badge():
    picture = xml.dom.minidom.parse(f"{stem}.svg").documentElement
    assert picture.tagName == "svg" and picture.getAttribute("role") == "img"
    return picture.getAttribute("aria-label")


for check in (counts, junit, tap, table, badge):
    print(f"{check.__name__}: {check()}")
