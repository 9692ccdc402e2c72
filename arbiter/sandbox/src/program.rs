//! A bot's command, resolved once to what is started every time.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{self, Path, PathBuf};

use text::system_error;
use thiserror::Error;

use super::{interpreter, launchers};
use crate::file;
use crate::view::AllowedPaths;

/// The form in which a command names its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramNameKind {
    ByPath,
    /// By a bare name, which was looked up.
    ByName,
    /// By the name of a bot that one program is with others.
    AsPart,
}

/// A program and its arguments, with every path in it absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    named_by: ProgramNameKind,
    /// Words before its arguments, which choose one of the bots that the program is.
    choice: Vec<OsString>,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
}

impl Program {
    /// The name of no program: it cannot be started.
    #[cfg(target_os = "linux")]
    pub(super) fn none() -> Program {
        Program {
            path: PathBuf::from("/"),
            named_by: ProgramNameKind::ByPath,
            choice: Vec::new(),
            arguments: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Finds the program that the words of a command name.
    ///
    /// A first word with a `/` in it is a path from [`SearchPath::folder`]. A bare name is looked
    /// up among the built-in bots and then on `PATH`, never in the current folder. A later word
    /// that does not begin with `-` and names a file from the current folder becomes an absolute
    /// path, because the program runs in a folder of its own.
    ///
    /// # Errors
    ///
    /// [`ResolveError`], if there is no such file or it is plain that it cannot be started.
    pub fn resolve(
        words: &[impl AsRef<OsStr>],
        search: &SearchPath,
    ) -> Result<Program, ResolveError> {
        Program::resolve_within(words, search, &AllowedPaths::default())
    }

    /// The same for words that a stranger may have written: none of them has a file out of this reach be looked at. A
    /// first word that is a path must be within it.
    pub fn resolve_within(
        words: &[impl AsRef<OsStr>],
        search: &SearchPath,
        allowed_paths: &AllowedPaths,
    ) -> Result<Program, ResolveError> {
        let mut words = words.iter().map(AsRef::as_ref);
        let name = words.next().filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| ResolveError::Other("empty command".to_owned()))?;
        if let Some(word) = words.clone().chain([name]).find(|word| has_nul(word)) {
            let word = printable_word(word);
            return Err(ResolveError::Other(format!("`{word}` contains a NUL character")));
        }
        let (path, named_by, choice) = match is_bare(name) {
            true => search.find(name, allowed_paths)?,
            false => (or_with_suffix(search.absolute(name)), ProgramNameKind::ByPath, Vec::new()),
        };
        startable(&path)?;
        let arguments = words.map(|word| search.argument(word, allowed_paths)).collect();
        Ok(Program { path, named_by, choice, arguments, variables: Vec::new() })
    }

    /// The absolute path of the file that is started; links in it are not followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the command names it by a bare name, which was looked up.
    pub fn is_named(&self) -> bool {
        self.named_by != ProgramNameKind::ByPath
    }

    /// The form in which the command names it.
    pub(super) fn named_by(&self) -> ProgramNameKind {
        self.named_by
    }

    /// The files that the command names by their paths, without programs that are installed for
    /// more than this command.
    pub fn own_files(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().and_then(Path::file_name).and_then(OsStr::to_str);
        let is_installed = folder.is_some_and(|name| ["bin", "sbin", "shims"].contains(&name));
        let is_own = self.named_by == ProgramNameKind::ByPath && !is_installed;
        let program = is_own.then(|| self.path.clone());
        let arguments = self.arguments.iter().map(PathBuf::from);
        let files = arguments.filter(|path| path.is_absolute() && path.is_file());
        program.into_iter().chain(files).collect()
    }

    /// The arguments of its command, without the name of the program.
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// All that it is started with: the words that choose a bot, and the arguments.
    pub(super) fn all_arguments(&self) -> impl Iterator<Item = &OsString> {
        self.choice.iter().chain(&self.arguments)
    }

    /// Appends arguments.
    pub fn with_arguments(&self, more: impl IntoIterator<Item = OsString>) -> Program {
        let mut program = self.clone();
        program.arguments.extend(more);
        program
    }

    /// Starts this file in the place of the one that the command names, which only looks for it.
    pub fn started_as(self, path: PathBuf) -> Program {
        Program { path, ..self }
    }

    /// Gives the program variables of its own, which go before those that every program gets.
    pub fn with_variables(
        self,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Program {
        Program { variables: variables.into_iter().collect(), ..self }
    }

    /// The variables of its environment besides those that every program gets.
    pub(super) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }
}

/// The places to look for programs in.
#[derive(Debug, Clone)]
pub struct SearchPath {
    /// The folder that relative paths start from, as an absolute path.
    pub folder: PathBuf,
    /// The bots that come with the referee, if there are any.
    pub built_in: Option<BuiltInBots>,
    /// The folders of `PATH`; empty ones are skipped, since they mean the current folder.
    pub path: Vec<PathBuf>,
}

/// The bots that come with the referee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltInBots {
    /// The folder of their programs.
    pub folder: PathBuf,
    /// The program that is each of them where the folder has no program of its name.
    pub all_in_one: Option<MulticallProgram>,
}

/// A program that is several bots: its first words choose one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MulticallProgram {
    /// Its absolute path.
    pub path: PathBuf,
    /// The word before the name of a bot.
    pub subcommand: &'static str,
    /// The names of the bots.
    pub names: Vec<&'static str>,
}

impl SearchPath {
    /// The search path of this process: its current folder and its `PATH`.
    ///
    /// # Errors
    ///
    /// Fails if the current folder no longer exists or may not be read.
    pub fn of_this_process(built_in: Option<BuiltInBots>) -> io::Result<SearchPath> {
        let path = env::var_os("PATH").unwrap_or_default();
        Ok(SearchPath {
            folder: env::current_dir()?,
            built_in,
            path: env::split_paths(&path).collect(),
        })
    }

    /// The search path with relative paths starting from another folder, an absolute one.
    pub fn from(&self, folder: &Path) -> SearchPath {
        SearchPath { folder: folder.to_path_buf(), ..self.clone() }
    }

    /// The file that a bare name stands for, how it was found, and the words that choose the bot.
    fn find(
        &self,
        name: &OsStr,
        allowed_paths: &AllowedPaths,
    ) -> Result<(PathBuf, ProgramNameKind, Vec<OsString>), ResolveError> {
        let file = with_suffix(name);
        if let Some(BuiltInBots { folder, all_in_one }) = &self.built_in {
            let path = folder.join(&file);
            if path.is_file() {
                return Ok((path, ProgramNameKind::ByName, Vec::new()));
            }
            // What lies on `PATH` by chance must not become another bot of that name.
            let is_part = |it: &&MulticallProgram| it.names.iter().any(|known| name == *known);
            if let Some(all) = all_in_one.as_ref().filter(is_part) {
                let choice = vec![all.subcommand.into(), name.to_owned()];
                return Ok((all.path.clone(), ProgramNameKind::AsPart, choice));
            }
        }
        let mut blocked = None;
        for folder in self.path.iter().filter(|folder| !folder.as_os_str().is_empty()) {
            let path = self.absolute(folder.join(&file).as_os_str());
            match startable(&path) {
                Ok(()) => return Ok((path, ProgramNameKind::ByName, Vec::new())),
                Err(ResolveError::NotFound { .. } | ResolveError::Folder { .. }) => {}
                Err(why) => blocked = blocked.or(Some(why)),
            }
        }
        Err(blocked.unwrap_or_else(|| self.not_found(name, allowed_paths)))
    }

    fn not_found(&self, name: &OsStr, allowed_paths: &AllowedPaths) -> ResolveError {
        let expected = "expected a path, a built-in bot or a program on PATH";
        let here = self.folder.join(name);
        let name = printable_word(name);
        let hint = match allowed_paths.allows(&here) && here.exists() {
            false => expected.to_owned(),
            true if is_executable(&here) || !here.is_file() => format!("write ./{name}"),
            true if interpreter::is_script(&here) => {
                format!("run chmod +x {name} and write ./{name}")
            }
            true => match launchers::usual_command(&here) {
                Some(interpreter) => format!("write \"{interpreter} {name}\""),
                None => format!("write ./{name}"),
            },
        };
        ResolveError::NotFound { name, hint }
    }

    fn argument(&self, word: &OsStr, allowed_paths: &AllowedPaths) -> OsString {
        let option = word.as_encoded_bytes().first().is_none_or(|&first| first == b'-');
        let path = self.folder.join(word);
        if !option && allowed_paths.allows(&path) && path.is_file() {
            self.absolute(word).into_os_string()
        } else {
            word.to_owned()
        }
    }

    fn absolute(&self, word: &OsStr) -> PathBuf {
        let joined = self.folder.join(word);
        file::without_parents(path::absolute(&joined).unwrap_or(joined))
    }
}

/// Why a command names nothing that can be started.
#[derive(Debug, Error)]
pub enum ResolveError {
    /// There is no such file.
    #[error("program `{name}` not found, {hint}")]
    NotFound {
        /// The name or path that was looked for.
        name: String,
        /// Advice.
        hint: String,
    },
    /// The path is a folder.
    #[error("`{path}` is a folder without a bot.toml")]
    Folder {
        /// The path.
        path: String,
    },
    /// The file lies where no program may be started.
    #[error(
        "`{path}` is on a noexec file system: copy it elsewhere, or run it through its interpreter"
    )]
    NoExec {
        /// The path.
        path: String,
    },
    /// Something else; the text says what.
    #[error("{0}")]
    Other(String),
}

impl ResolveError {
    fn no_file(path: &Path) -> ResolveError {
        let hint = "expected the path of a program".to_owned();
        ResolveError::NotFound { name: printable_word(path.as_os_str()), hint }
    }
}

/// Tells whether a file looks as if it could be started; only starting it can tell for sure.
fn startable(path: &Path) -> Result<(), ResolveError> {
    let other = |problem: String| Err(ResolveError::Other(problem));
    let word = printable_word(path.as_os_str());
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                return Err(ResolveError::no_file(path));
            }
            _ => {
                let (hint, problem) = (file::why_denied(path, &error), system_error(&error));
                return other(format!("cannot access `{word}`: {problem}{hint}"));
            }
        },
    };
    if metadata.is_dir() {
        Err(ResolveError::Folder { path: word })
    } else if !metadata.is_file() {
        other(format!("`{word}` is not a regular file"))
    } else if takes_other_rights(&metadata) {
        other(format!("`{word}` is set-user-id: chmod u-s,g-s"))
    } else if !may_execute(path, &metadata) {
        match file::is_on_noexec(path) && is_marked_executable(&metadata) {
            true => Err(ResolveError::NoExec { path: word }),
            false => other(format!("`{word}` is not executable: {}", to_execute(path))),
        }
    } else if cfg!(unix) && interpreter::has_windows_first_line(path) {
        other(format!(
            "`{word}` has Windows line endings (CRLF), which break its #! line: sed -i 's/\\r$//' \
             {word}"
        ))
    } else if cfg!(unix) && interpreter::has_byte_order_mark(path) {
        other(format!(
            "`{word}` begins with a byte-order mark, so its first line names no program: remove it with \
             sed -i '1s/^\\xef\\xbb\\xbf//' {word}"
        ))
    } else if !may_read(path) {
        // Interpreters and the log's digest read it.
        other(format!("`{word}` is not readable: chmod +r"))
    } else {
        Ok(())
    }
}

/// Returns true if this is a file that may be executed.
pub(super) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && may_execute(path, &found))
}

/// A program that starts with the rights of its owner is out of an ordinary referee's reach: it can
/// neither be limited nor, in part, be watched.
#[cfg(unix)]
fn takes_other_rights(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o6000 != 0
}

#[cfg(not(unix))]
fn takes_other_rights(_metadata: &Metadata) -> bool {
    false
}

/// Advice to make a program of a file that is not executable.
fn to_execute(path: &Path) -> String {
    let word = printable_word(path.as_os_str());
    match launchers::usual_command(path) {
        _ if interpreter::is_script(path) => format!("run chmod +x {word}"),
        Some(interpreter) => format!("write \"{interpreter} {word}\""),
        None => "chmod +x, or name its interpreter".to_owned(),
    }
}

#[cfg(unix)]
fn is_marked_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_marked_executable(_metadata: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn may_execute(path: &Path, _metadata: &Metadata) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn may_execute(_path: &Path, _metadata: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn may_read(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
}

#[cfg(not(unix))]
fn may_read(path: &Path) -> bool {
    fs::File::open(path).is_ok()
}

fn is_bare(name: &OsStr) -> bool {
    !name.as_encoded_bytes().iter().any(|&byte| path::is_separator(char::from(byte)))
}

fn has_nul(word: &OsStr) -> bool {
    word.as_encoded_bytes().contains(&0)
}

/// The path of a program that is written as on other systems, without the suffix of this one: compilers
/// add it by themselves, and a `bot.toml` is for all systems.
pub fn or_with_suffix(path: PathBuf) -> PathBuf {
    let whole = PathBuf::from(with_suffix(path.as_os_str()));
    if !path.is_file() && whole.is_file() { whole } else { path }
}

/// The file name of a program called `name` on this system.
fn with_suffix(name: &OsStr) -> OsString {
    let mut file = name.to_owned();
    if !name.as_encoded_bytes().ends_with(EXE_SUFFIX.as_bytes()) {
        file.push(EXE_SUFFIX);
    }
    file
}

/// A path or word in an error: one line for any contents.
pub(super) fn printable_word(word: &OsStr) -> String {
    word.to_string_lossy().escape_debug().to_string()
}
