"""The benchmark harness: instances in, runs in processes of their own, records, tables and plots out.

The modules in the order of a run:

1. `environment`: the virtual environment, the program, the machine.
2. `paper`, `tables`, `encodings`, `openml`, `families`: what is solved.
3. `job`, `runner`, `worker`, `solvers`: one solver on one table, in its own process, within limits.
4. `trees`, `records`: what came out, computed again from the tree and its answers.
5. `markdown`, `plots`, `report`: what people read.
6. `claims`: what the documents say of it.
"""
