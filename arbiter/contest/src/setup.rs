//! Helpers of the commands that play games.

use std::env;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bot::BotSpec;
use bot::build_record::newer_source;
use bot::grants::IsolationSpec;
use bot::manifest::BotFolder;
use bot::sandboxed::SandboxedBots;
use bot::shim::InterpreterShim;
use bots::programs::{self, RANDOM};
use rules::{GameKind, Host, Seed};
use sandbox::isolation::Isolation;
use sandbox::{BuiltInBots, GuardLease, MulticallProgram, SearchPath, Supervisor, file};
use series::header::{CommittedSeed, SeedText};
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;
use text::{counted, printable, system_error};

/// The most that a file with a seed may hold, in bytes: much more than its one line.
const LONGEST_SEED: u64 = 4 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSpec {
    pub kind: GameKind,
    /// The number of seats, if given.
    pub seats: Option<usize>,
    /// Its other options, as logs write them; those left out have their defaults.
    pub options: String,
}

impl GameSpec {
    /// Returns the options in their one spelling, with the default number of seats if none is given.
    pub fn options(&self) -> Result<String, Failure> {
        let mut words: Vec<&str> = self.options.split_ascii_whitespace().collect();
        if let Some(word) = words.iter().find(|word| word.starts_with("seats=")) {
            let word = printable(word);
            let problem = format!("`{word}` is not a game option: use --seats");
            return Err(Failure::Usage(problem));
        }
        let seats = self.seats.map(|seats| format!("seats={seats}"));
        words.extend(seats.as_deref());
        let options = self.kind.check_options(&words.join(" "));
        options.map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Returns the options for as many seats as there are bots.
    pub fn options_for(&self, bots: usize) -> Result<String, Failure> {
        let seats = self.seats.unwrap_or(bots);
        if seats != bots {
            let (seats, bots) = (counted(seats, "seat", "seats"), counted(bots, "bot", "bots"));
            let problem = format!("{bots} for {seats}: give one bot per seat");
            return Err(Failure::Usage(problem));
        }
        GameSpec { seats: Some(seats), ..self.clone() }.options()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeedSpec {
    Given(SeedText),
    InFile(PathBuf),
    /// A random one.
    Drawn,
}

impl SeedSpec {
    /// Returns true if anyone can find the seed by trying.
    pub fn can_be_guessed(&self) -> bool {
        matches!(self, SeedSpec::Given(given) if given.can_be_guessed())
    }

    /// Returns the file that holds the seed.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            SeedSpec::InFile(path) => Some(path.clone()),
            SeedSpec::Given(_) | SeedSpec::Drawn => None,
        }
    }

    /// Returns true if the seed is random.
    pub fn is_drawn(&self) -> bool {
        *self == SeedSpec::Drawn
    }

    pub fn committed(&self) -> Result<CommittedSeed, Failure> {
        match self {
            SeedSpec::Given(given) => Ok(CommittedSeed(given.seed())),
            SeedSpec::Drawn => seed_or_drawn(None).map(CommittedSeed),
            SeedSpec::InFile(path) => {
                let text = file::text_or_stream(path, LONGEST_SEED).map_err(system_error);
                let seed = text.and_then(|text| {
                    // The text is a secret, so no error may repeat it.
                    let expected = "not a seed file: expected one line of 64 hex digits";
                    // Editors on Windows put a byte order mark before a text.
                    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                    text.trim_ascii().parse().map_err(|_| expected.to_owned())
                });
                seed.map_err(|problem| {
                    Failure::Usage(format!("seed file `{}`: {problem}", path.display()))
                })
            }
        }
    }
}

/// Notes that a committed seed is short, and good for practice only.
pub fn tell_of_short_seed() {
    say("note: short seeds can be guessed; use them for practice only");
}

/// Returns the given seed, or a random one.
pub fn seed_or_drawn(given: Option<SeedText>) -> Result<Seed, Failure> {
    if let Some(given) = given {
        return Ok(given.seed());
    }
    let mut seed = Seed([0; 32]);
    rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut seed.0).map_err(|error| {
        Failure::Ours(format!("cannot draw a random seed: {}", system_error(error)))
    })?;
    Ok(seed)
}

/// Opens the manifests of the bots that are folders. All bots must play this game with these options.
pub fn opened(bots: &[BotSpec], kind: &GameKind, options: &str) -> Result<Vec<BotSpec>, Failure> {
    bots.iter()
        .map(|bot| {
            let bot = bot.clone().opened()?;
            must_play(&bot, kind, options).map(|()| bot)
        })
        .collect()
}

/// Refuses a grant to an unknown bot, and a bot that asks for more than it was granted.
pub fn must_be_granted(
    names: &[String],
    bots: &[BotSpec],
    asked: &IsolationSpec,
) -> Result<(), Failure> {
    asked.grants.check_names(names)?;
    for (name, bot) in names.iter().zip(bots) {
        asked.check(name, bot).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    Ok(())
}

/// Warns of a bot that was changed after it was built: the old program plays.
pub fn warn_of_newer_source(bot: &BotSpec, name: &str) {
    if let Some(folder) = bot.folder()
        && let Some(source) = newer_source(folder)
    {
        let (source, folder) = (printable(&source), word(Path::new(&folder.typed)));
        say(format!(
            "warning: bot {name}: {source} is newer than the build: run `arbiter build {folder}`"
        ));
    }
}

/// Notes that the folder of a bot holds packages that its command does not see.
pub fn tell_of_unused_venv(bot: &BotSpec, name: &str) {
    if let Some(command) = bot.command_in_venv() {
        let command = printable(&toml::Value::String(command).to_string());
        say(format!("note: bot {name}: .venv is used only with `command = {command}`"));
    }
}

/// Notes that the folder of a bot chooses a version of its interpreter by a file that nothing reads.
pub fn tell_of_unread_version(bot: &BotSpec, name: &str, search: &SearchPath) {
    let shim = bot.folder().and_then(|_| InterpreterShim::find(bot, search));
    if let Some(unread) = shim.and_then(|shim| shim.unread_version(bot)) {
        say(format!("note: bot {name}: {unread}"));
    }
}

/// Refuses a bot that does not play this game with these options, or does not speak the dialect in which it
/// would be asked.
pub fn must_play(bot: &BotSpec, kind: &GameKind, options: &str) -> Result<(), Failure> {
    if let Some(BotFolder { manifest, .. }) = bot.folder()
        && !manifest.games.has(kind)
    {
        let (name, games) = (&manifest.name, &manifest.games);
        let problem = format!(
            "bot `{name}` does not play {kind}: add it to `games` in bot.toml (now: {games})"
        );
        return Err(Failure::Usage(problem));
    }
    let program = bot.words().first().map_or("", String::as_str);
    let knows_built_in =
        programs::ALL.iter().any(|it| it.name == program && *it.name != *RANDOM.name);
    if knows_built_in && bot.folder().is_none() && kind.rules_id().is_some() {
        let problem = format!("built-in bot `{program}` does not play {kind}: use `random`");
        return Err(Failure::Usage(problem));
    }
    must_suit(bot, kind, options)
}

/// Refuses a built-in bot that does not play a game with these options, and a bot whose dialect the game
/// does not have with them.
pub fn must_suit(bot: &BotSpec, kind: &GameKind, options: &str) -> Result<(), Failure> {
    let program = bot.words().first().map_or("", String::as_str);
    let refusal = || programs::refusal(program, kind, options);
    if let Some(refusal) = bot.folder().is_none().then(refusal).flatten() {
        return Err(Failure::Usage(format!("the built-in bot {refusal}")));
    }
    let spoken = bot.dialect();
    if !kind.dialects_with(options).contains(&spoken) {
        let bot = printable(bot.command());
        let with = match kind.dialects().contains(&spoken) {
            true => format!(" with {options}"),
            false => String::new(),
        };
        let problem = format!("bot `{bot}`: {kind}{with} has no {spoken} dialect");
        return Err(Failure::Usage(problem));
    }
    Ok(())
}

/// The subcommand that makes this program a built-in bot.
static BOT_COMMAND: OnceLock<&str> = OnceLock::new();

/// Announces that this program is each built-in bot by this subcommand and the name of the bot: from then on
/// [`search_path`] finds them even if their own programs are not installed.
pub fn announce_bots(subcommand: &'static str) {
    BOT_COMMAND.get_or_init(|| subcommand);
}

/// Returns the search path for programs. The built-in bots are next to this program, not next to a link that
/// leads to it, which macOS names; a bot without a program there is this program, once that is
/// [announced](announce_bots).
pub fn search_path() -> Result<SearchPath, Failure> {
    let program = env::current_exe().ok();
    let program = match cfg!(target_vendor = "apple") {
        true => program.and_then(|path| path.canonicalize().ok()),
        false => program,
    };
    let built_in = program.and_then(|path| {
        let folder = path.parent()?.to_path_buf();
        let names = programs::ALL.map(|bot| bot.name).to_vec();
        let all_in_one =
            BOT_COMMAND.get().map(|subcommand| MulticallProgram { path, subcommand, names });
        Some(BuiltInBots { folder, all_in_one })
    });
    SearchPath::of_this_process(built_in).map_err(|error| {
        Failure::Ours(format!("cannot find the current folder: {}", system_error(error)))
    })
}

/// Posts a guard over all programs that are started while the result lives.
pub fn guard() -> Result<GuardLease, Failure> {
    env::current_exe().and_then(|program| GuardLease::post(&program)).map_err(|error| {
        Failure::Ours(format!("cannot start the cleanup process: {}", system_error(error)))
    })
}

/// Returns the supervisor that the environment names, with this isolation. On a terminal it says which layers
/// are on.
pub fn supervisor(isolation: Isolation) -> Result<Supervisor, Failure> {
    let supervisor = complete(isolation)?;
    let missing = supervisor.layers().map_err(Failure::Ours)?.missing();
    let on_terminal = io::stderr().is_terminal();
    match (isolation, missing.as_str()) {
        (Isolation::Off, _) if on_terminal => {
            say("isolation: off (bots have your full access and can cheat)");
        }
        (_, "") if on_terminal => say("isolation: on, all layers"),
        (Isolation::Off, _) | (_, "") => {}
        // Missing layers are reported even where standard error is no terminal: a contest relies on them.
        (_, missing) => say(format!("isolation: on, missing {missing} (see `arbiter sandbox`)")),
    }
    Ok(supervisor)
}

/// Does the same as [`supervisor`], but prints nothing.
pub fn complete(isolation: Isolation) -> Result<Supervisor, Failure> {
    let supervisor = supervisor_with(isolation)?;
    let missing = supervisor.layers().map_err(Failure::Ours)?.missing();
    match isolation {
        Isolation::Strict if !missing.is_empty() => Err(Failure::Ours(format!(
            "missing sandbox layers: {missing}; run `arbiter sandbox` for fixes, or use \
             --isolation auto"
        ))),
        _ => Ok(supervisor),
    }
}

/// Warns of files of this run that bots can read because this machine cannot hide them.
pub fn warn_of_exposed(sandboxed: &SandboxedBots) {
    for path in sandboxed.exposed() {
        let path = printable(&path.to_string_lossy());
        say(format!(
            "warning: bots can read `{path}`, because the layer `files` is missing: move it to \
             another folder"
        ));
    }
}

/// Returns the supervisor that the environment names, with this isolation; no layer is required.
pub fn supervisor_with(isolation: Isolation) -> Result<Supervisor, Failure> {
    Supervisor::from_env(isolation).map_err(Failure::Usage)
}

/// File in which Linux describes the processors.
const PROCESSORS: &str = "/proc/cpuinfo";

/// Number of bytes of it that are read: the first processor stands for all.
const LOOKED_AT: u64 = 16 << 10;

/// Longest name that is kept, in characters.
const LONGEST_NAME: usize = 80;

/// Returns the name and processor of this machine. A given name replaces the host name.
pub fn this_machine(name: Option<&str>) -> Host {
    let name = name.map_or_else(host_name, ToOwned::to_owned);
    Host { name: short(&name), processor: processor().as_deref().map(short) }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown".to_owned())
}

/// Returns the model of the first processor, if the system tells it.
fn processor() -> Option<String> {
    let file = file::open(PROCESSORS.as_ref()).ok()?;
    let mut lines = BufReader::new(file.take(LOOKED_AT)).lines().map_while(Result::ok);
    lines.find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    })
}

/// Makes a name one short line of printable characters, as every game of a log repeats it.
fn short(name: &str) -> String {
    let name: String =
        name.chars().filter(|it| !text::is_control(*it)).take(LONGEST_NAME).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_given_is_kept_in_short() {
        let long = "n".repeat(1000);
        assert_eq!(this_machine(Some("node\u{1b}[2J7\n")).name, "node[2J7");
        assert_eq!(this_machine(Some(&long)).name.len(), LONGEST_NAME);
        assert!(!this_machine(None).name.is_empty());
    }
}
