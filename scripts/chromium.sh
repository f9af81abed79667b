#!/usr/bin/env bash
# Fetch a headless Chromium for scripts/browser-test.sh, and print its path.
#
# It comes from an npm package that contains the browser, and is kept under target/. If that browser does not
# run, Debian's package is installed, which needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=crates/branchwise-cli/tests/browser/chromium/package.json
folder=$PWD/target/browser/chromium
packed=$folder/node_modules/@sparticuz/chromium/bin

unpacked() { # a file packed by Brotli
    node -e 'fs.createReadStream(process.argv[1]).pipe(zlib.createBrotliDecompress()).pipe(process.stdout)' "$1"
}

# The browser with the fonts and libraries of the package, for machines that lack them.
from_npm() {
    if cmp --silent "$wanted" "$folder/made-of.json"; then return; fi
    rm -rf "$folder"
    mkdir -p "$folder/lib"
    cp "$wanted" "$folder"
    npm install --prefix "$folder" --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error >&2 &&
        unpacked "$packed/chromium.br" >"$folder/browser" &&
        unpacked "$packed/fonts.tar.br" | tar -x -C "$folder" &&
        unpacked "$packed/al2023.tar.br" | tar -x -C "$folder" &&
        rm -r "$folder/node_modules" &&
        chmod +x "$folder/browser" &&
        write_fonts && write_launcher && "$folder/chromium" --version >&2 &&
        cp "$wanted" "$folder/made-of.json"
}

write_fonts() { # those of the machine, and those of the package
    cat >"$folder/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>$folder/fonts</dir>
  <cachedir>$folder/fonts-cache</cachedir>
</fontconfig>
FONTS
}

write_launcher() {
    local libraries=
    if ldd "$folder/browser" | grep --quiet "not found"; then libraries=$folder/lib; fi
    cat >"$folder/chromium" <<LAUNCHER
#!/bin/sh
export FONTCONFIG_FILE='$folder/fonts.conf'
[ -z '$libraries' ] || export LD_LIBRARY_PATH='$libraries'
exec '$folder/browser' "\$@"
LAUNCHER
    chmod +x "$folder/chromium"
}

from_debian() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet=2 >&2 && apt-get install --quiet=2 --yes --no-install-recommends chromium >&2
}

if [ "$(uname -sm)" = "Linux x86_64" ] && from_npm; then
    echo "$folder/chromium"
elif from_debian; then
    command -v chromium
else
    exit 1
fi
