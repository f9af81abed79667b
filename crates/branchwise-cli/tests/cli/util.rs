//! A directory and a command handle for each test.

use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An empty directory that a test has to itself; commands run in it.
pub(crate) struct Dir {
    folder: TempDir,
}

impl Dir {
    pub(crate) fn new() -> Self {
        Dir { folder: TempDir::new().unwrap() }
    }

    /// A directory with one file.
    pub(crate) fn with(name: &str, contents: impl AsRef<[u8]>) -> Self {
        let dir = Dir::new();
        dir.create(name, contents);
        dir
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn create(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// Change one place of a model by hand.
    pub(crate) fn edit_model(&self, name: &str, place: &str, value: Value) {
        let mut model: Value = serde_json::from_str(&self.read(name)).unwrap();
        *model.pointer_mut(place).unwrap_or_else(|| panic!("no {place} in the model")) = value;
        self.create(name, model.to_string());
    }

    /// The program with arguments, which are separated by blanks.
    pub(crate) fn branchwise(&self, line: &str) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_branchwise"));
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Program { command, line: format!("branchwise {line}"), input: Vec::new() }
    }

    /// Run the program to its end.
    pub(crate) fn run(&self, line: &str) -> Outcome {
        self.branchwise(line).run()
    }
}

/// The program, about to be started.
pub(crate) struct Program {
    command: Command,
    line: String,
    input: Vec<u8>,
}

impl Program {
    /// Give it this on standard input.
    pub(crate) fn input(mut self, input: impl AsRef<[u8]>) -> Self {
        self.command.stdin(Stdio::piped());
        self.input = input.as_ref().to_vec();
        self
    }

    /// Let its standard output go to a file.
    pub(crate) fn output_to(mut self, file: File) -> Self {
        self.command.stdout(file);
        self
    }

    /// Start it, and leave its standard input open to the caller.
    pub(crate) fn start_waiting(mut self) -> Running {
        Running { child: self.command.spawn().unwrap(), line: self.line }
    }

    pub(crate) fn start(mut self) -> Running {
        let mut child = self.command.spawn().unwrap();
        if let Some(mut pipe) = child.stdin.take() {
            let input = std::mem::take(&mut self.input);
            // A program that refuses its first line does not read the rest.
            std::thread::spawn(move || pipe.write_all(&input).unwrap_or_default());
        }
        Running { child, line: self.line }
    }

    pub(crate) fn run(self) -> Outcome {
        self.start().end()
    }
}

/// The program, running.
pub(crate) struct Running {
    pub(crate) child: Child,
    line: String,
}

impl Running {
    /// Send a signal, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap();
        assert!(sent.success(), "kill -{name} {id}");
    }

    /// Wait for its end.
    pub(crate) fn end(self) -> Outcome {
        let output = self.child.wait_with_output().unwrap();
        Outcome::new(self.line, &output)
    }

    /// Wait for its end, which must come soon. What it prints must fit into a pipe.
    pub(crate) fn end_within(mut self, most: Duration) -> Outcome {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if start.elapsed() > most {
                self.child.kill().unwrap();
                let outcome = self.end();
                outcome.fail(&format!("expected an end within {most:?}"));
            }
            sleep(Duration::from_millis(5));
        }
        self.end()
    }
}

/// How the program ended, and what it said.
#[must_use]
pub(crate) struct Outcome {
    line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    fn new(line: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let outcome = Outcome { line, code: output.status.code(), stdout, stderr };
        if outcome.stderr.contains("panicked") {
            outcome.fail("expected no panic");
        }
        outcome
    }

    /// The exit status is this.
    pub(crate) fn expect(self, code: i32) -> Self {
        if self.code != Some(code) {
            self.fail(&format!("expected exit status {code}, got {:?}", self.code));
        }
        self
    }

    /// Standard output is exactly this.
    pub(crate) fn prints_only(self, text: &str) -> Self {
        if self.stdout != text {
            self.fail(&format!("expected standard output to be exactly\n{text}"));
        }
        self
    }

    /// Standard output has this in it.
    pub(crate) fn prints(self, phrase: &str) -> Self {
        if !self.stdout.contains(phrase) {
            self.fail(&format!("expected standard output to contain\n{phrase}"));
        }
        self
    }

    /// Standard error has this in it.
    pub(crate) fn says(self, phrase: &str) -> Self {
        if !self.stderr.contains(phrase) {
            self.fail(&format!("expected standard error to contain\n{phrase}"));
        }
        self
    }

    /// Standard error is empty.
    pub(crate) fn says_nothing(self) -> Self {
        if !self.stderr.is_empty() {
            self.fail("expected nothing on standard error");
        }
        self
    }

    /// Standard output as one JSON object on one line.
    pub(crate) fn json(&self) -> Value {
        if self.stdout.lines().count() != 1 {
            self.fail("expected one line");
        }
        let parsed: Result<Value, _> = serde_json::from_str(&self.stdout);
        parsed.unwrap_or_else(|error| self.fail(&format!("expected JSON: {error}")))
    }

    pub(crate) fn fail(&self, why: &str) -> ! {
        let ruler = "=".repeat(79);
        let Outcome { line, code, stdout, stderr } = self;
        panic!(
            "\n{ruler}\n{why}\n{ruler}\ncommand: {line}\nexit status: {code:?}\n{ruler}\n\
             standard output:\n{stdout}\n{ruler}\nstandard error:\n{stderr}\n{ruler}\n"
        )
    }
}

/// A table of random 0s and 1s, the same every time: nothing to learn, and much to search.
pub(crate) fn noise(n_rows: usize, names: &[String]) -> String {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut bit = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if state >> 63 == 1 { "1" } else { "0" }
    };
    let mut text = names.join(",") + "\n";
    for _ in 0..n_rows {
        let row: Vec<&str> = names.iter().map(|_| bit()).collect();
        text += &(row.join(",") + "\n");
    }
    text
}

/// Column names of a prefix and a number.
pub(crate) fn numbered(prefix: &str, how_many: usize) -> Vec<String> {
    (1..=how_many).map(|number| format!("{prefix}{number}")).collect()
}

/// One column decides, in one split.
pub(crate) const COLOURS: &str = "\
colour,size,class
red,1,a
blue,2,b
red,1,a
blue,1,b
green,1,a
";

/// The shape comes first; then the colour, of which "round" has only two.
pub(crate) const SHAPES: &str = "\
shape,colour,class
round,red,a
round,blue,b
square,red,b
square,blue,a
square,green,a
square,yellow,b
hexagon,red,c
hexagon,blue,c
hexagon,green,c
hexagon,yellow,c
";

/// A directory with a table and the model fitted to it.
pub(crate) fn fitted(table: &str, options: &str) -> Dir {
    let dir = Dir::with("table.csv", table);
    let fit = dir.run(&format!("fit table.csv --quiet --out model.json {options}"));
    let _ = fit.expect(0).says_nothing();
    dir
}

/// Exit status 2, a telling message, no result, and nothing written.
pub(crate) fn refused(outcome: Outcome, phrase: &str) {
    let _ = outcome.expect(2).says(phrase).prints_only("");
}
