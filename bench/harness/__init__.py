"""The benchmark harness: it runs solvers on instances, each in its own process, and writes records, tables and plots.

The modules in the order of a run:

1. `environment`: the virtual environment, the program, the machine.
2. `paper`, `tables`, `encodings`, `openml`, `families`: what is solved.
3. `job`, `runner`, `worker`, `solvers`: one solver on one table, in its own process, within limits.
4. `trees`, `records`: the results, recomputed from the tree and its predictions.
5. `markdown`, `plots`, `report`, `experiments`: the pages and figures.
6. `claims`: what the documents say about the results.
7. `callgrind`, `comparison`: the instructions of two programs. `grid`: limits and signals.
"""
