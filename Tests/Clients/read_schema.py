#!/usr/bin/env python3
"""Holds run.json files against the shipped schema with a reader that is not ours.

    pip install jsonschema
    Tests/Clients/read_schema.py RUN...     directories or run.json files; default: the samples
"""

import json
import pathlib
import sys

import jsonschema

root = pathlib.Path(__file__).resolve().parents[2]
schema = json.loads((root / "docs" / "run.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

places = [pathlib.Path(word) for word in sys.argv[1:]]
places = places or sorted((root / "results").glob("sample-*/**/run.json"))
faults = 0
for place in places:
    file = place / "run.json" if place.is_dir() else place
    found = list(validator.iter_errors(json.loads(file.read_text())))
    faults += len(found)
    print(f"{file}: {'a run' if not found else f'{len(found)} faults'}")
    for fault in found[:5]:
        print(f"  {fault.json_path}: {fault.message[:100]}")
# A reader that finds nothing wrong with what is wrong would prove nothing.
broken = json.loads((root / "results/sample-run/run.json").read_text())
broken["results"][0]["rounds"] = "three"
if validator.is_valid(broken):
    faults += 1
    print("a broken run is taken for a run")
sys.exit(1 if faults else 0)
