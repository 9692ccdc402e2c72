//! Small programs in C, compiled here, and the floor that everything is compared with.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// A request in the middle of a game of Tablić.
pub(crate) const REQUEST: &str = include_str!("../../../examples/bots/c/sample.txt");

/// A folder with programs.
#[derive(Debug)]
pub(crate) struct Workshop {
    folder: TempDir,
    /// A bot that plays the first legal move, or the longest one.
    pub(crate) first_move: PathBuf,
}

impl Workshop {
    /// A folder that bots can see.
    pub(crate) fn new() -> Workshop {
        let folder = TempDir::new().expect("a temporary folder");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), mode).expect("the folder is ours");
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/calls");
        let compile = |name: &str| {
            let program = folder.path().join(name);
            let source = own.join(name).with_extension("c");
            assert!(compile("cc", &source, &program), "cc cannot compile {}", source.display());
            program
        };
        let first_move = compile("first_move");
        compile("floor");
        fs::write(folder.path().join("request"), REQUEST).expect("the folder is ours");
        Workshop { folder, first_move }
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a program of an example, from its folder in `examples/bots`, against the C library of this
    /// compiler; none where there is no such compiler.
    pub(crate) fn example(&self, compiler: &str, source: &str) -> Option<PathBuf> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(source);
        let stem = source.file_stem().and_then(OsStr::to_str).expect("it names a file");
        let program = self.path(&format!("{stem}-{compiler}"));
        compile(compiler, &source, &program).then_some(program)
    }

    /// Copies a script of an example, from its folder in `examples/bots`.
    pub(crate) fn script(&self, source: &str) -> PathBuf {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
        let source = examples.join(source);
        let script = self.folder.path().join(source.file_name().expect("it names a file"));
        fs::copy(source, &script).expect("the folder is ours");
        script
    }

    /// The cheapest way to call a command with the request in this file.
    pub(crate) fn floor(&self, request: &str, called: &[&dyn AsRef<OsStr>]) -> Floor {
        let mut command = Command::new(self.path("floor"));
        command.arg(request).args(called.iter().map(AsRef::as_ref));
        command.current_dir(self.path(""));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it");
        let orders = child.stdin.take().expect("a pipe");
        let times = BufReader::new(child.stdout.take().expect("a pipe"));
        Floor { orders: Some(orders), times, child }
    }
}

/// Compiles a program of one file statically, as its users would; returns false where that fails.
fn compile(compiler: &str, source: &Path, program: &Path) -> bool {
    let mut command = Command::new(compiler);
    command.args(["-O2", "-static", "-o"]).arg(program).arg(source);
    command.status().is_ok_and(|status| status.success())
}

/// A program in C that makes calls and prints how long they took.
#[derive(Debug)]
pub(crate) struct Floor {
    orders: Option<ChildStdin>,
    times: BufReader<ChildStdout>,
    child: Child,
}

impl Floor {
    /// Makes this number of calls, and returns the mean time of one, in nanoseconds.
    pub(crate) fn calls(&mut self, count: u32) -> f64 {
        let orders = self.orders.as_mut().expect("it is there until the end");
        writeln!(orders, "{count}").expect("it reads");
        let mut line = String::new();
        self.times.read_line(&mut line).expect("it prints");
        line.trim().parse::<f64>().expect("a number of nanoseconds") / f64::from(count)
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        // It ends with its input.
        self.orders = None;
        let _ = self.child.wait();
    }
}
