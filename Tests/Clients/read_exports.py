"""Reads every export of a run directory with the client it is made for.

    python3 -m venv clients && clients/bin/pip install apache-otava prometheus-client junitparser hdrhistogram line-protocol-parser
    clients/bin/python Tests/Clients/read_exports.py RUN

RUN holds what `realm-bench report RUN --export …` wrote. Exits 1 at the first file its client cannot read.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

run = pathlib.Path(sys.argv[1])


def openmetrics():
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    families = list(text_string_to_metric_families((run / "openmetrics.txt").read_text()))
    assert len(families) > 2 and all(family.samples for family in families)
    return f"{len(families)} families, {sum(len(f.samples) for f in families)} samples"


def junit():
    from junitparser import JUnitXml

    suites = JUnitXml.fromfile(str(run / "junit.xml"))
    for suite in suites:
        assert suite.tests == len(list(suite)), "counts differ from children"
    return f"{suites.tests} tests, {suites.failures} failures, {suites.errors} errors"


def hdr():
    from hdrh.histogram import HdrHistogram

    count = 0
    for row in csv.DictReader(open(run / "latencies.csv")) if (run / "latencies.csv").exists() else []:
        histogram = HdrHistogram.decode(row["histogram"])
        assert histogram.get_total_count() > 0
        count += 1
    for file in (run / "hgrm").glob("*.hgrm"):
        lines = file.read_text().splitlines()
        assert lines[0].split() == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"]
        assert re.match(r"#\[Mean    = +[\d.]+, StdDeviation   = +[\d.]+\]", lines[-3]), lines[-3]
    return f"{count} histograms decoded"


def bmf():
    document = json.loads((run / "bmf.json").read_text())
    for name, measures in document.items():
        assert len(name) <= 1024
        for slug, measure in measures.items():
            assert len(slug) <= 64 and isinstance(measure["value"], (int, float))
            # Of a single round there is no interval.
            if set(measure) != {"value"}:
                assert measure["lower_value"] <= measure["value"] <= measure["upper_value"]
    return f"{len(document)} benchmarks"


def github():
    total = 0
    # Of a direction without a row there is no file.
    for name in sorted(path.name for path in run.glob("github-*.json")):
        for entry in json.loads((run / name).read_text()):
            assert set(entry) == {"name", "unit", "value", "range", "extra"} and entry["unit"]
            assert re.search(r"(\+-|±)\s*(\d.*)", entry["range"]), entry
            total += 1
    return f"{total} entries"


def jmh():
    document = json.loads((run / "jmh.json").read_text())
    for entry in document:
        primary = entry["primaryMetric"]
        assert " " not in entry["benchmark"] and "secondaryMetrics" in entry
        assert isinstance(primary["score"], (int, float)) and primary["rawData"]
    return f"{len(document)} benchmarks"


def benchfmt():
    pattern = re.compile(r"^Benchmark[A-Z]\S* \d+( \S+ \S+)+$")
    lines = (run / "benchfmt.txt").read_text().splitlines()
    results = [line for line in lines if line.startswith("Benchmark")]
    assert results and all(pattern.match(line) for line in results)
    return f"{len(results)} result lines"


def influx():
    from line_protocol_parser import parse_line

    points = [parse_line(line) for line in (run / "influx.txt").read_text().splitlines()]
    assert points and all(point["fields"] and point["tags"]["engine"] for point in points)
    return f"{len(points)} points"


def otava():
    """Otava itself, on a history with a planted step: it must find the step, at its place."""
    history = run / "otava-history"
    history.mkdir(exist_ok=True)
    source = next((run / "otava").glob("*.csv"))
    rows = list(csv.reader(open(source)))
    head, row = rows[0], rows[1]
    metric = head[3]
    with open(history / "planted.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(head)
        for day in range(40):
            value = 100 + (day * 7 % 5) * 0.4 + (15 if day >= 25 else 0)
            out.writerow([f"2026-0{1 + day // 28}-{1 + day % 28:02d}T00:00:00+00:00", f"c{day}", row[2]]
                         + [value] * (len(head) - 3))
    (history / "otava.yaml").write_text(
        "tests:\n  planted:\n    type: csv\n    file: planted.csv\n    time_column: utc\n"
        "    attributes: [commit, machine]\n    metrics:\n"
        f"      {metric}: {{column: {metric}, direction: -1, scale: 1}}\n"
        "    csv_options: {delimiter: ',', quote_char: '\"'}\n")
    command = [str(pathlib.Path(sys.executable).parent / "otava"), "analyze", "planted",
               "--config-file", "otava.yaml", "--since", "2025-12-01", "--until", "2026-12-01",
               "--output", "json", "-M", "0.03"]
    done = subprocess.run(command, cwd=history, capture_output=True, text=True)
    assert "ERROR" not in done.stderr, done.stderr
    found = json.loads(done.stdout)["planted"]
    assert len(found) == 1 and found[0]["attributes"]["commit"] == "c25", found
    # And what was really written must be read without complaint.
    names = [file.stem for file in (run / "otava").glob("*.csv")]
    real = subprocess.run(
        [command[0], "analyze", names[0], "--config-file", "otava.yaml", "--since", "2020-01-01",
         "--until", "2100-01-01", "--output", "json"], cwd=run, capture_output=True, text=True)
    assert "ERROR" not in real.stderr, real.stderr
    return f"planted step found at c25; {len(names)} files"


for client in (openmetrics, junit, hdr, bmf, github, jmh, benchfmt, influx, otava):
    try:
        print(f"{client.__name__}: {client()}")
    except Exception as error:
        print(f"{client.__name__}: CANNOT READ: {type(error).__name__}: {error}")
        sys.exit(1)
