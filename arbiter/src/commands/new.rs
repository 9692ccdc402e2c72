//! `arbiter new`: a folder with a bot, or with a game, to start from; and `arbiter build`: builds the bot in a folder.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

use bot::build::{BuildError, Builder};
use bot::grants::IsolationSpec;
use bot::manifest::BotFolder;
use bot::templates::{BotTemplate, ReadmeCommands};
use bot::{BotSpec, Contender, ContenderError, FileDigest};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use games::GameFiles;
use games::contents::GameTemplate;
use rules::tablic::Tablic;
use rules::{EscapedBytes, GameKind};
use sandbox::{CancellationCheck, Limits, duration};

use crate::options::game;
use crate::options::game::GameNameParser;
use crate::options::isolation::IsolationArgs;
use contest::setup;
use text::failure::Failure;
use text::printable;
use text::shell::{bot_word, word};
use text::terminal::say;

const HELP: &str =
    "The template for custom games is a small poker game in python, c, rust or assemblyscript.

Examples:
  arbiter new my-bot --language python && arbiter check ./my-bot
  arbiter new my-game --language python --game && arbiter check --game ./my-game
  arbiter new my-bot --language python --game ./my-game";

/// `arbiter new`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct NewArgs {
    /// Folder to create; also the name of the bot or game
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Programming language
    #[arg(long, value_parser = languages())]
    language: String,
    /// Game that the bot plays [default: tablic]; without GAME, create a custom game instead
    #[arg(long, value_name = "GAME", num_args = 0..=1, value_parser = GameNameParser)]
    game: Option<Option<String>>,
}

impl NewArgs {
    /// Writes the folder, and shows the next commands.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let NewArgs { folder, language, game } = self;
        match game {
            Some(None) => write_game(&folder, &game_starter(&language)?, out),
            Some(Some(game)) => {
                write_bot(&folder, &starter(&language)?, &game::opened(&game)?, out)
            }
            None => write_bot(&folder, &starter(&language)?, &GameKind::of::<Tablic>(), out),
        }
    }
}

fn languages() -> PossibleValuesParser {
    let bots = BotTemplate::ALL.map(|it| PossibleValue::new(it.language).aliases(it.aliases));
    let of_games = GameTemplate::ALL.into_iter().map(|it| it.language);
    let games = of_games.filter(|it| BotTemplate::named(it).is_none()).map(PossibleValue::new);
    PossibleValuesParser::new(bots.into_iter().chain(games))
}

fn starter(language: &str) -> Result<BotTemplate, Failure> {
    BotTemplate::named(language).ok_or_else(|| {
        let language = printable(language);
        Failure::Usage(format!("{language} has only a game template: add --game without a value"))
    })
}

fn game_starter(language: &str) -> Result<GameTemplate, Failure> {
    GameTemplate::named(language).ok_or_else(|| {
        let languages = GameTemplate::ALL.map(|it| it.language).join(", ");
        let language = printable(language);
        Failure::Usage(format!("{language} has no game template: use one of {languages}"))
    })
}

fn write_bot(
    folder: &Path,
    starter: &BotTemplate,
    game: &GameKind,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Once, and first: a game that never answers takes its time at each question.
    let seats = game.seats("").map_err(|error| Failure::Rules(format!("{game}: {error}")))?;
    let commands = |bot: &str, at: &dyn Fn(&str) -> String| match GameFiles::for_game(game) {
        None => {
            let greedy = vec!["greedy"; seats.saturating_sub(1).max(1)].join(" ");
            ReadmeCommands {
                check: format!("arbiter check {bot}"),
                play: format!("arbiter match --game {game} --games 10 {bot} {greedy}"),
            }
        }
        Some(files) => {
            let game = word(Path::new(&at(files.named_as())));
            let random = vec!["random"; seats.saturating_sub(1).max(1)].join(" ");
            ReadmeCommands {
                check: format!("arbiter check --game {game} {bot}"),
                play: format!("arbiter match --game {game} --games 10 {bot} {random}"),
            }
        }
    };
    // Another folder is the current one there, and the folder of the bot goes to other machines.
    let from_bot = |named: &str| from_folder(folder, named).unwrap_or_else(|| named.to_owned());
    let name = starter.write(folder, game, &commands(".", &from_bot))?;
    let shown = printable(&folder.display().to_string());
    writeln!(out, "{name}: created a bot in {}; requires {}\n", starter.language, starter.needs)?;
    let typed = bot_word(&path_of(&folder.display().to_string()));
    let ReadmeCommands { check, play } = commands(&typed, &str::to_owned);
    writeln!(out, "{check}\n{play}")?;
    writeln!(
        out,
        "\n{}/README.md explains how to try it by hand and how to extend it",
        path_of(&shown).trim_end_matches('/')
    )?;
    Ok(())
}

fn write_game(folder: &Path, starter: &GameTemplate, out: &mut dyn Write) -> Result<(), Failure> {
    let name = starter.write(folder)?;
    let shown = printable(&folder.display().to_string());
    writeln!(out, "{name}: created a game in {}; requires {}\n", starter.language, starter.needs)?;
    let typed = word(Path::new(&path_of(&folder.display().to_string())));
    if let Some(build) = starter.build() {
        writeln!(out, "(cd {typed} && {build})")?;
    }
    writeln!(out, "arbiter check --game {typed}")?;
    writeln!(out, "arbiter match --game {typed} --games 10 random random")?;
    writeln!(
        out,
        "\n{}/README.md explains how to make it your game",
        path_of(&shown).trim_end_matches('/')
    )?;
    Ok(())
}

/// A path of something that is there, as seen from a folder: `../hearts` where they lie side by side. Where they have
/// nothing in common but the root, it is only the name.
fn from_folder(folder: &Path, named: &str) -> Option<String> {
    let (folder, path) = (real_path(folder)?, Path::new(named).canonicalize().ok()?);
    let common = folder.iter().zip(path.iter()).take_while(|(one, other)| one == other).count();
    if common < 2 {
        return Some(path_of(&path.file_name()?.to_string_lossy()));
    }
    let up = folder.iter().skip(common).map(|_| OsStr::new(".."));
    let relative: PathBuf = up.chain(path.iter().skip(common)).collect();
    Some(path_of(&relative.display().to_string()))
}

/// The path without links of a folder that may not be there yet.
fn real_path(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let found = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, real) = found?;
    Some(real.join(absolute.strip_prefix(above).ok()?))
}

/// A bot or a game that is a folder must be a path, which a bare name is not.
fn path_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}

const BUILD_HELP: &str =
    "The build runs in a sandbox: in a copy of the folder, with the programs on PATH, an empty home \
folder, no input, and no network unless you pass --allow NAME:network. On success, new files are \
copied back. With --isolation off, it runs in the folder itself, in your environment.

Prints the SHA-256 digests of the bot's files, which match logs also contain.

Examples:
  arbiter build ./my-bot
  arbiter build ./my-bot --allow my-bot:network";

#[derive(Debug, Args)]
#[command(after_help = BUILD_HELP)]
pub(crate) struct BuildArgs {
    /// Bot folder
    #[arg(value_name = "FOLDER")]
    folder: String,
    /// Time limit for the build
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
    time_limit: Duration,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl BuildArgs {
    /// Builds a bot, and prints the digests of its files, as in the log of a match. The output of a failed
    /// build goes to standard error.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let asked = self.isolation.into_spec()?;
        let folder = BotFolder::open(&self.folder)?;
        let name = &folder.manifest.name;
        let IsolationSpec { isolation, grants } = &asked;
        grants.check_names(slice::from_ref(name))?;
        let search = &setup::search_path()?;
        let beyond = asked.outside_access(name);
        let _guard = setup::guard()?;
        let supervisor = match folder.manifest.build {
            Some(_) => setup::supervisor(*isolation)?,
            None => setup::supervisor_with(*isolation)?,
        };
        let (time, wanted) = (self.time_limit, CancellationCheck::ALWAYS);
        let builder = Builder { supervisor, search, grants, folders: &[], kept: &[], time, wanted };
        let built = builder.build(&folder, name).map_err(|error| failure(name, error))?;
        let contender = Contender::prepare(
            &BotSpec::from(folder.clone()),
            name,
            Limits::DEFAULT,
            search,
            &beyond,
        )
        .map_err(|error| Failure::Start(format!("bot `{name}`: {}", unready(&error))))?;
        match built {
            None => writeln!(out, "{name}: nothing to build")?,
            Some(time) => writeln!(out, "{name}: built in {:.1} s", time.as_secs_f64())?,
        }
        for FileDigest { word, sha256 } in contender.digests() {
            writeln!(out, "{sha256}  {}", printable(&word))?;
        }
        Ok(())
    }
}

/// The reason why a bot cannot be started after its build.
fn unready(error: &ContenderError) -> String {
    match error {
        ContenderError::NotBuilt { word, folder, .. } => {
            format!("the build succeeded, but `{folder}` has no `{word}`")
        }
        other => other.to_string(),
    }
}

fn failure(name: &str, error: BuildError) -> Failure {
    let text = format!("bot `{name}`: {error}");
    match error {
        BuildError::Failed { stdout, stderr, hint, .. } => {
            show("standard output", &stdout);
            show("standard error", &stderr);
            if let Some(hint) = hint {
                say(format!("hint: {hint}"));
            }
            Failure::Start(text)
        }
        BuildError::Refused(_) => Failure::Start(text),
        BuildError::Machine(_) => Failure::Ours(text),
    }
}

/// Shows a stream of a build line by line, without terminal escapes.
fn show(name: &str, stream: &EscapedBytes) {
    if stream.0.is_empty() {
        return;
    }
    say(format!("the build's {name}:"));
    for line in String::from_utf8_lossy(&stream.0).lines() {
        say(format!("  {}", printable(&line.replace('\t', "    "))));
    }
}
