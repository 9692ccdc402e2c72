//! The table of languages: programs that run what their arguments say, which are interpreters and commands that start
//! another command.

use std::path::Path;

/// A program that runs what its arguments say.
pub struct LauncherProgram {
    /// Its names, without a version: `python` is `python3.12` too.
    pub names: &'static [&'static str],
    /// The interpreters of its language, as scripts call them.
    pub programs: &'static [&'static str],
    /// The endings of its scripts, and the command that usually runs a script with such an ending.
    pub scripts: &'static [(&'static str, &'static str)],
    /// Some of its options that have no value.
    pub flags: &'static [&'static str],
    /// Its possible first arguments, one of which must be there if there are any: `run` of `go run`.
    pub subcommands: &'static [&'static str],
    /// Options whose value is the next word.
    pub with_value: &'static [&'static str],
    /// Options whose value is run: `-m` of python, `-jar` of java.
    pub naming: &'static [&'static str],
    /// The options after which there is code, which has no name.
    pub code: &'static [&'static str],
    /// Number of words before what is run, as the duration of `timeout`.
    pub before: usize,
    /// The words behind its options.
    pub runs: LauncherArgument,
    /// The file by which version managers choose one, and arguments that make it print its own path.
    pub version: Option<(&'static str, &'static str)>,
    /// What comes in another order at each start.
    pub unordered: &'static str,
}

/// Words behind the options of a launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LauncherArgument {
    /// A script, or the name of a class.
    Script,
    /// A folder or a script, as of `go run`.
    Package,
    /// A command, which may launch something itself.
    Command,
    /// A command after any number of `NAME=VALUE`.
    CommandAfterVariables,
}

/// The interpreters of Python, as scripts and virtual environments call them.
pub(super) const PYTHONS: &[&str] = &["python3", "python", "pypy3", "pypy"];

/// Programs that run scripts of a shell.
pub const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];

/// What comes in another order at each start of most programs.
pub const UNORDERED: &str = "the order of a hash table";

const PLAIN: LauncherProgram = LauncherProgram {
    names: &[],
    programs: &[],
    scripts: &[],
    flags: &[],
    subcommands: &[],
    with_value: &[],
    naming: &[],
    code: &[],
    before: 0,
    runs: LauncherArgument::Script,
    version: None,
    unordered: UNORDERED,
};

/// All of them.
pub const LAUNCHERS: &[LauncherProgram] = &[
    LauncherProgram {
        names: &["python", "pypy"],
        programs: PYTHONS,
        scripts: &[("py", "python3")],
        flags: &["-u", "-B", "-E", "-I", "-O", "-OO", "-s", "-S"],
        with_value: &["-W", "-X", "--check-hash-based-pycs"],
        naming: &["-m"],
        code: &["-c"],
        version: Some((".python-version", "-c \"import sys; print(sys.executable)\"")),
        // Bots get PYTHONHASHSEED=0, so this is left.
        unordered: "the order of a set of objects, or of any set with `-I` or `-E`, which ignore PYTHONHASHSEED",
        ..PLAIN
    },
    LauncherProgram {
        names: &["node", "nodejs"],
        programs: &["node"],
        scripts: &[("js", "node"), ("mjs", "node"), ("cjs", "node")],
        with_value: &["-r", "--require", "--import", "--loader", "-C", "--conditions"],
        code: &["-e", "--eval", "-p", "--print"],
        version: Some((".node-version", "-p process.execPath")),
        ..PLAIN
    },
    LauncherProgram {
        names: &["ruby"],
        programs: &["ruby"],
        scripts: &[("rb", "ruby")],
        flags: &["-w"],
        with_value: &["-r", "-I", "-C", "-E"],
        code: &["-e"],
        version: Some((".ruby-version", "-e \"puts RbConfig.ruby\"")),
        ..PLAIN
    },
    LauncherProgram {
        names: &["jruby"],
        with_value: &["-r", "-I", "-C", "-E"],
        code: &["-e"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["perl"],
        programs: &["perl"],
        scripts: &[("pl", "perl")],
        flags: &["-w"],
        with_value: &["-I"],
        code: &["-e", "-E"],
        unordered: "the order of a hash (PERL_HASH_SEED), which `sort keys` fixes",
        ..PLAIN
    },
    LauncherProgram {
        names: &["lua", "luajit"],
        programs: &["lua", "luajit"],
        scripts: &[("lua", "lua")],
        with_value: &["-l"],
        code: &["-e"],
        unordered: "the order of `pairs`",
        ..PLAIN
    },
    LauncherProgram {
        names: SHELLS,
        programs: &["bash"],
        scripts: &[("sh", "sh"), ("bash", "bash")],
        flags: &["-e", "-u", "-eu"],
        with_value: &["-o", "-O", "--rcfile", "--init-file"],
        code: &["-c", "-s"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["fish", "busybox"],
        with_value: &["-o", "-O", "--rcfile", "--init-file"],
        code: &["-c", "-s"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["java"],
        programs: &["java"],
        scripts: &[("jar", "java -jar")],
        with_value: &[
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--add-modules",
            "--add-opens",
            "--add-exports",
        ],
        naming: &["-jar", "-m", "--module"],
        ..PLAIN
    },
    LauncherProgram { names: &["kotlin", "scala"], with_value: &["-cp", "-classpath"], ..PLAIN },
    LauncherProgram {
        names: &["php"],
        programs: &["php"],
        with_value: &["-d", "-c"],
        naming: &["-f"],
        code: &["-r"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["awk", "gawk", "mawk"],
        with_value: &["-v"],
        naming: &["-f"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["sbcl"],
        naming: &["--script", "--load"],
        code: &["--eval"],
        ..PLAIN
    },
    LauncherProgram { names: &["pwsh"], naming: &["-File"], code: &["-Command", "-c"], ..PLAIN },
    LauncherProgram {
        names: &["julia", "Rscript"],
        programs: &["julia", "Rscript"],
        code: &["-e"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["racket", "guile"],
        programs: &["guile", "racket"],
        naming: &["-f", "-l"],
        code: &["-e", "-c"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["dotnet", "mono", "tsx", "ts-node", "runghc", "runhaskell", "ocaml", "elixir"],
        ..PLAIN
    },
    LauncherProgram { names: &["escript", "tclsh", "groovy", "wasmtime"], ..PLAIN },
    LauncherProgram {
        names: &["deno", "bun"],
        programs: &["deno", "bun"],
        subcommands: &["run"],
        with_value: &["-c", "--config", "--import-map"],
        ..PLAIN
    },
    LauncherProgram {
        names: &["go"],
        subcommands: &["run"],
        with_value: &["-C", "-tags", "-ldflags", "-gcflags", "-mod", "-modfile", "-exec", "-p"],
        runs: LauncherArgument::Package,
        unordered: "the order of a map",
        ..PLAIN
    },
    LauncherProgram {
        names: &["uv"],
        subcommands: &["run"],
        with_value: &[
            "--with",
            "--with-requirements",
            "-p",
            "--python",
            "--project",
            "--directory",
            "--extra",
            "--group",
            "--env-file",
            "--package",
            "--index",
        ],
        naming: &["-m", "--module"],
        runs: LauncherArgument::Command,
        ..PLAIN
    },
    LauncherProgram {
        names: &["poetry", "pipenv", "pdm", "rye", "hatch", "pixi", "bundle", "npx"],
        subcommands: &["run", "exec"],
        with_value: &["-C", "-p", "--project", "--package"],
        runs: LauncherArgument::Command,
        ..PLAIN
    },
    LauncherProgram {
        names: &["env"],
        with_value: &["-u", "--unset", "-C", "--chdir"],
        code: &["-S", "--split-string"],
        runs: LauncherArgument::CommandAfterVariables,
        ..PLAIN
    },
    LauncherProgram {
        names: &["nice", "ionice", "nohup", "setsid", "stdbuf", "time", "unbuffer"],
        with_value: &["-n", "--adjustment", "-c", "--class", "-i", "-o", "-e", "-f"],
        runs: LauncherArgument::Command,
        ..PLAIN
    },
    LauncherProgram {
        names: &["timeout"],
        with_value: &["-k", "--kill-after", "-s", "--signal"],
        before: 1,
        runs: LauncherArgument::Command,
        ..PLAIN
    },
    LauncherProgram { names: &["taskset"], before: 1, runs: LauncherArgument::Command, ..PLAIN },
    LauncherProgram {
        names: &["arbiter"],
        subcommands: &["bot"],
        runs: LauncherArgument::Command,
        ..PLAIN
    },
];

impl LauncherProgram {
    /// The launcher that a program with this name is: `python3.12` is Python.
    pub fn named(program: &str) -> Option<&'static LauncherProgram> {
        let family = family(program);
        LAUNCHERS.iter().find(|launcher| launcher.names.contains(&family))
    }
}

/// A program without its version: `python3.12`, `lua5.4` and `ruby3.1` are what they are without it.
pub fn family(program: &str) -> &str {
    program.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

/// All interpreters that a script may call by their names.
pub(super) fn interpreters() -> impl Iterator<Item = &'static str> {
    LAUNCHERS.iter().flat_map(|launcher| launcher.programs).copied()
}

/// The command that usually runs a file with this ending.
pub(super) fn usual_command(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?;
    let mut scripts = LAUNCHERS.iter().flat_map(|launcher| launcher.scripts);
    scripts.find(|(known, _)| *known == ending).map(|(_, command)| *command)
}
