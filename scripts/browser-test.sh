#!/usr/bin/env bash
# Open reports in a headless Chromium: click nodes and follow rows to their leaves. Nothing may be written
# to the console or loaded from elsewhere.
#
#   scripts/browser-test.sh [FOLDER]      leave screenshots in this folder
#
# Needs Node and npm, which fetches the driver. The browser is the one that CHROMIUM names, or Chromium or
# Chrome if installed. Otherwise scripts/chromium.sh fetches one; if that fails, the test is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() { printf '\n*** SKIPPED: the test of reports in a browser: %s ***\n' "$1" >&2; exit 0; }
installed_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        if command -v "$name"; then return; fi
    done
}
command -v node >/dev/null && command -v npm >/dev/null || skip "there is no Node or no npm"
if [ -n "${CHROMIUM:-}" ]; then
    browser=$(command -v "$CHROMIUM") || { echo "CHROMIUM names $CHROMIUM, which cannot be run" >&2; exit 1; }
else
    browser=$(installed_browser)
    [ -n "$browser" ] || browser=$(scripts/chromium.sh) || skip "there is no Chromium, and none could be fetched"
fi
echo "with $browser" >&2

tests=crates/branchwise-cli/tests/browser
folder=target/browser
pages=$folder/pages
mkdir -p "$pages"
cp "$tests"/package.json "$tests"/report.mjs "$folder"
if ! cmp --silent "$tests/package.json" "$folder/made-of.json"; then
    npm install --prefix "$folder" --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error >&2
    cp "$tests/package.json" "$folder/made-of.json"
fi

# The program that the tests build, so that nothing is built twice.
cargo test --quiet --locked --workspace --exclude branchwise-python --no-run
branchwise() { target/debug/branchwise "$@" >/dev/null; }
page() { # NAME, the table for figures if any, and what to fit
    local name=$1 figures=$2
    shift 2
    branchwise fit --quiet --out "$pages/$name.json" "$@"
    # shellcheck disable=SC2086
    branchwise report "$pages/$name.json" $figures --out "$pages/$name.html"
}
page clinic examples/clinic.csv examples/clinic.csv --id appointment --ordered "pain=low<medium<high"
printf 'class,came,missed\ncame,0,1\nmissed,12.50,0\n' >"$pages/costs.csv"
page costs examples/clinic.csv examples/clinic.csv --id appointment --cost-matrix "$pages/costs.csv"
page large "--builtin tic-tac-toe" --builtin tic-tac-toe --lambda 0.003
page leaf "" --builtin monk1 --lambda 0.9
cat >"$pages/hostile.csv" <<'TABLE'
</script><script>window.harmed = 1</script>,"<img src=x onerror=""window.harmed = 1"">",class
"<b id=harm>bold</b>",1,"</style></svg><script>window.harmed = 1</script>"
"<!-- <script>",1,"'"" onload=""window.harmed = 1"
"<b id=harm>bold</b>",2,"</style></svg><script>window.harmed = 1</script>"
"<!-- <script>",2,"'"" onload=""window.harmed = 1"
TABLE
page hostile "$pages/hostile.csv" "$pages/hostile.csv"

if [ $# -gt 0 ]; then mkdir -p "$1"; fi
node "$folder/report.mjs" "$browser" "$PWD/$pages" "$@"
