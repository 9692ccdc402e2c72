//! Finds the program behind a command that only launches something else: `mybot` for `python3 -u
//! bots/mybot.py`.
//!
//! Only the names of unnamed bots depend on this, so an unknown launcher or option only costs a
//! less telling name.

use std::path::{self, Path, PathBuf};
use std::time::Duration;

use sandbox::launchers::{LAUNCHERS, LauncherArgument, LauncherProgram, SHELLS, family};

/// The name of what a command runs: of the script, module, class or folder that it launches, else
/// of its program; nothing if it ends in no file name.
pub(super) fn name_of(words: &[String]) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let name = file_name(program)?;
    match LauncherProgram::named(&name).and_then(|launcher| launched(launcher, arguments)) {
        Some(launched) => Some(launched),
        None => Some(without_extension(&name).to_owned()),
    }
}

/// The script that a command runs for certain: a word with the ending of its interpreter's scripts
/// behind nothing but options that have no value.
///
/// A shell also looks for a script on `PATH`, so one without a `/` is none.
pub(super) fn script_of(words: &[String]) -> Option<&str> {
    let (program, arguments) = words.split_first()?;
    let name = file_name(program)?;
    let launcher = LauncherProgram::named(&name)?;
    let script = arguments.iter().find(|word| !launcher.flags.contains(&word.as_str()))?;
    let (_, ending) = script.rsplit_once('.')?;
    // `java x.jar` runs a class, and `java -jar x.jar` a script by an option.
    let is_script = |(known, command): &(&str, &str)| *known == ending && !command.contains(' ');
    let is_sought = launcher.names == SHELLS && !script.contains(path::is_separator);
    let is_certain = launcher.scripts.iter().any(is_script) && !is_sought;
    (!script.starts_with('-') && is_certain).then_some(script)
}

/// Returns the kind of a bot from its command: the interpreter that it starts, without folder and version, such as
/// `java` or `python`; nothing for a program of its own, which may have any name: a relative path leads to one.
pub(super) fn kind_of(words: &[String]) -> Option<&'static str> {
    let (program, arguments) = words.split_first()?;
    if program == REMOTE {
        return Some(REMOTE_KIND);
    }
    if program.contains(path::is_separator) && !Path::new(program).is_absolute() {
        return None;
    }
    let name = file_name(program)?;
    let launcher = LauncherProgram::named(&name)?;
    match (launcher.runs, target(launcher, arguments)) {
        (LauncherArgument::Script | LauncherArgument::Package, _) => {
            launcher.names.iter().copied().find(|known| *known == family(&name))
        }
        (
            LauncherArgument::Command | LauncherArgument::CommandAfterVariables,
            Some(LaunchedProgram::Words(words)),
        ) => kind_of(words),
        (LauncherArgument::Command | LauncherArgument::CommandAfterVariables, _) => None,
    }
}

/// The name of remote bots in limits.
const REMOTE_KIND: &str = "remote";

pub(super) fn kind_named(name: &str) -> Option<&'static str> {
    let interpreters = LAUNCHERS
        .iter()
        .filter(|it| matches!(it.runs, LauncherArgument::Script | LauncherArgument::Package));
    let kinds = interpreters.flat_map(|launcher| launcher.names).copied();
    kinds.chain([REMOTE_KIND]).find(|kind| *kind == name)
}

enum LaunchedProgram<'a> {
    /// It is named by an option.
    Named(&'a String),
    /// It stands in these words, with its arguments.
    Words(&'a [String]),
}

/// The name of what is run by these arguments.
fn launched(launcher: &LauncherProgram, arguments: &[String]) -> Option<String> {
    let words = match target(launcher, arguments)? {
        LaunchedProgram::Named(word) => return without_folder(word),
        LaunchedProgram::Words(words) => words,
    };
    match launcher.runs {
        LauncherArgument::Script => without_folder(words.first()?),
        LauncherArgument::Package => folder_or_script(words.first()?),
        LauncherArgument::Command | LauncherArgument::CommandAfterVariables => name_of(words),
    }
}

/// Returns the program that these arguments run; nothing if they hold code, or it cannot be known.
fn target<'a>(launcher: &LauncherProgram, arguments: &'a [String]) -> Option<LaunchedProgram<'a>> {
    let mut words = arguments;
    if let Some((first, rest)) = words.split_first()
        && launcher.subcommands.contains(&first.as_str())
    {
        words = rest;
    } else if matches!(launcher.runs, LauncherArgument::Package) {
        return None;
    }
    while let Some((word, rest)) = words.split_first() {
        let is_variable = launcher.runs == LauncherArgument::CommandAfterVariables
            && !word.starts_with('-')
            && word.contains('=');
        if word == "--" {
            words = rest;
            break;
        }
        if is_one_of(launcher, launcher.code, word) {
            return None;
        }
        if is_one_of(launcher, launcher.naming, word) {
            return rest.first().map(LaunchedProgram::Named);
        }
        if launcher.with_value.contains(&word.as_str()) {
            words = rest.get(1..)?;
        } else if word.starts_with('-') && word != "-" || is_variable {
            words = rest;
        } else {
            break;
        }
    }
    words.get(launcher.before..).map(LaunchedProgram::Words)
}

/// Returns true if a word is one of these options, or a few letters that end with it: `-lc` of a shell.
fn is_one_of(launcher: &LauncherProgram, options: &[&str], word: &str) -> bool {
    let few = |letters: &str| {
        letters.len() <= 4 && letters.chars().all(|letter| letter.is_ascii_alphabetic())
    };
    let ends_with = |option: &&str| {
        let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
        letter.zip(word.strip_prefix('-')).is_some_and(|(letter, letters)| {
            letters.len() > 1 && few(letters) && letters.ends_with(letter)
        })
    };
    let known = launcher.with_value.contains(&word) || launcher.naming.contains(&word);
    options.contains(&word) || !known && options.iter().any(ends_with)
}

/// The name of a script, or of a class or a module, which has neither folder nor extension.
fn without_folder(word: &str) -> Option<String> {
    // `-` is a script that comes through standard input.
    let name = file_name(word).filter(|name| name != "-")?;
    Some(without_extension(&name).to_owned())
}

/// The name of a package that is a folder; `.` is the current one.
fn folder_or_script(word: &str) -> Option<String> {
    match file_name(word) {
        Some(_) => without_folder(word),
        None => {
            let folder = Path::new(word).canonicalize().ok()?;
            Some(folder.file_name()?.to_str()?.to_owned())
        }
    }
}

fn file_name(word: &str) -> Option<String> {
    let name = Path::new(word.trim_end_matches(path::is_separator)).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// A name of a file without the extension that says its language.
fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && EXTENSIONS.contains(&extension) => stem,
        _ => name,
    }
}

/// Extensions left out of a name: they tell the language, and nothing of the bot.
const EXTENSIONS: &[&str] = &[
    "R", "awk", "bash", "class", "cjs", "dll", "erl", "exe", "exs", "fish", "go", "groovy", "hs",
    "jar", "java", "jl", "js", "kts", "lisp", "lua", "mjs", "ml", "out", "php", "pl", "ps1", "py",
    "pyc", "pyz", "rb", "rkt", "scm", "sh", "tcl", "ts", "wasm", "zsh",
];

/// How a bot is written on the command line and in logs that runs on the machine of its author.
pub const REMOTE: &str = "remote:";

/// Where a remote bot is asked, and how much patience it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteEndpoint {
    /// The socket of the hub from which the bot fetches its requests.
    pub socket: PathBuf,
    /// The time that a game has in all for lost connections of the bot.
    pub grace: Duration,
    /// The most games that it plays at once.
    pub games: u32,
}

impl RemoteEndpoint {
    /// The grace of a game if nothing else is said.
    pub const GRACE: Duration = Duration::from_secs(60);

    /// The most games of a bot at once if nothing else is said.
    pub const GAMES: u32 = 4;

    /// The folder of the socket, which no bot of this machine may see.
    pub fn folder(&self) -> &Path {
        self.socket.parent().unwrap_or(&self.socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(command: &str) -> String {
        let words = shlex::split(command).expect("words");
        name_of(&words).unwrap_or_else(|| "none".to_owned())
    }

    #[test]
    fn a_script_is_known_only_where_it_is_certain() {
        let cases = [
            ("python3 bot.py", Some("bot.py")),
            ("/usr/bin/python3.12 -u -B a/bot.py x.py", Some("a/bot.py")),
            ("node bot.mjs", Some("bot.mjs")),
            ("sh ./run.sh", Some("./run.sh")),
            ("sh run.sh", None),
            ("python3 bot", None),
            ("python3 -m bot.py", None),
            ("python3 -W ignore.py bot.py", None),
            ("python3 -c bot.py", None),
            ("python3 - bot.py", None),
            ("node bot", None),
            ("./mine bot.py", None),
            ("python3", None),
        ];
        for (command, expected) in cases {
            let words = shlex::split(command).expect("words");
            assert_eq!(script_of(&words), expected, "{command}");
        }
    }

    #[test]
    fn a_command_is_called_after_what_it_launches() {
        let cases = [
            ("python3 mybot.py", "mybot"),
            ("python3 -u bots/mybot.py --depth 3", "mybot"),
            ("python3 -W ignore -X dev -- a/mybot.py", "mybot"),
            ("/usr/bin/python3.12 mybot.py", "mybot"),
            ("pypy3 mybot.py", "mybot"),
            ("arbiter bot greedy", "greedy"),
            ("/opt/arbiter/arbiter bot minimax --depth 3", "minimax"),
            ("python3 -m package", "package"),
            ("python3 -um package.bot", "package.bot"),
            ("python3 -c 'print(1)' mybot.py", "python3"),
            ("python3 -uc 'print(1)'", "python3"),
            ("python3 - mybot.py", "python3"),
            ("python3", "python3"),
            ("node x.js", "x"),
            ("node --require ./setup.js --max-old-space-size=99 x.mjs", "x"),
            ("java -cp . Main", "Main"),
            ("java -Xmx1g -cp a:b -jar lib/bot.jar", "bot"),
            ("java Main.java", "Main"),
            ("ruby -w bot.rb", "bot"),
            ("perl -w bot.pl", "bot"),
            ("perl -we 'print 1'", "perl"),
            ("lua5.4 bot.lua", "bot"),
            ("sh ./run.sh", "run"),
            ("bash -c 'python3 mybot.py'", "bash"),
            ("bash -lc 'python3 mybot.py'", "bash"),
            ("bash -o pipefail run.bash", "run"),
            ("env FOO=1 BAR= python3 x.py", "x"),
            ("env -i -u HOME ./x.py", "x"),
            ("env", "env"),
            ("nice -n 5 timeout -k 1s 5s stdbuf -oL python3 x.py", "x"),
            ("uv run x.py", "x"),
            ("uv run --with numpy python -u x.py", "x"),
            ("uv run -m package", "package"),
            ("poetry run python x.py", "x"),
            ("deno run --allow-read x.ts", "x"),
            ("bun x.ts", "x"),
            ("go run ./cmd/mybot", "mybot"),
            ("go run main.go", "main"),
            ("go version", "go"),
            ("php -f bot.php", "bot"),
            ("dotnet out/bot.dll", "bot"),
            ("./mybot.py", "mybot"),
            ("bots/mybot", "mybot"),
            ("./bot.v2", "bot.v2"),
            ("python3 bot.v2.py", "bot.v2"),
            ("python3 .py", ".py"),
            ("random", "random"),
            ("minimax --depth 5", "minimax"),
            ("../..", "none"),
        ];
        for (command, expected) in cases {
            assert_eq!(name(command), expected, "{command}");
        }
    }

    #[test]
    fn a_command_is_of_the_kind_of_its_interpreter() {
        let cases = [
            ("java -Xmx1g -jar bot.jar", Some("java")),
            ("/usr/lib/jvm/bin/java -cp . Main", Some("java")),
            ("python3.12 bot.py", Some("python")),
            ("python3 -c 'print(1)'", Some("python")),
            ("env A=1 nice -n 5 java Main", Some("java")),
            ("uv run --with numpy python -u x.py", Some("python")),
            ("uv run x.py", None),
            ("sh run.sh java", Some("sh")),
            ("go run .", Some("go")),
            ("./java-bot", None),
            ("./java Main", None),
            ("bin/python3 x.py", None),
            ("minimax --depth 5", None),
        ];
        for (command, expected) in cases {
            let words = shlex::split(command).expect("words");
            assert_eq!(kind_of(&words), expected, "{command}");
            assert!(expected.is_none_or(|kind| kind_named(kind) == Some(kind)), "{command}");
        }
        for name in ["env", "timeout", "uv", "python3", "greedy", ""] {
            assert_eq!(kind_named(name), None, "{name}");
        }
    }

    #[test]
    fn the_current_folder_has_the_name_that_it_has_in_its_parent() {
        let here = std::env::current_dir().expect("a folder");
        let here = here.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(name("go run ."), here);
    }
}
