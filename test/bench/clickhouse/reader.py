"""ClickHouse for the query bench: a line of JSON with a statement comes in, a line with its rows goes out."""

import json
import sys

from chdb import session

database = session.Session(sys.argv[1])
for line in sys.stdin:
    try:
        text = database.query(json.loads(line)["sql"], "TabSeparated").data()
        answer = {"rows": [row.split("\t") for row in text.splitlines()]}
    except Exception as fault:  # The bench ends with it.
        answer = {"fault": str(fault)}
    print(json.dumps(answer), flush=True)
