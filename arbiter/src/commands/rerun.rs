//! `arbiter rerun`: asks the bots of a log again.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use rules::Dialect;
use rules::text::printable;

use crate::aside::say;
use crate::bot::{BotSpec, Contender};
use crate::commands::setup;
use crate::commands::verify::Format;
use crate::failure::Failure;
use crate::log::{Header, PlayerLine};
use crate::person;
use crate::process::{Limits, SearchPath};
use crate::recall::{self, Recalled, failure};
use crate::rerun::{JsonReport, Report, Stopped, TextReport, Told, rerun};

/// What is to be asked again.
#[derive(Debug)]
pub struct RerunRequest {
    /// The log, or the folder of a tournament.
    pub log: PathBuf,
    /// The number of the only game, from 0; all games, if not said.
    pub game: Option<u64>,
    /// The only seat that is asked; every seat, if not said.
    pub seat: Option<usize>,
    /// Other programs for players of the log, by name; where there are any, only they are asked.
    pub bots: Vec<BotSpec>,
    /// How often each game is repeated, at least once.
    pub times: u32,
    /// How it is told.
    pub format: Format,
}

/// Asks every bot of the games again and compares.
///
/// # Errors
///
/// [`Failure::Different`] where an answer is not as it was; otherwise as the exit codes say.
pub fn run(request: &RerunRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let path = &request.log;
    let mut games = recall::open(path).map_err(|error| failure(path, error))?;
    let contenders = contenders(games.series().header(), request)?;
    let _guard = setup::guard()?;
    let mut count = Count::default();
    let told = if request.game.is_some() { Told::All } else { Told::Differences };
    if let Some(wanted) = request.game {
        let recalled = Recalled::find(path, wanted)?;
        rerun_game(&recalled, &contenders, request, told, &mut count, out)?;
    } else {
        while let Some((line, game)) = games.next_game().map_err(|error| failure(path, error))? {
            let recalled = Recalled { series: games.series().clone(), line, game };
            rerun_game(&recalled, &contenders, request, told, &mut count, out)?;
        }
    }
    count.finish(path, request.format, out)
}

/// What was compared so far.
#[derive(Debug, Default)]
struct Count {
    answers: u64,
    different: u64,
    /// Where the first difference was.
    first: Option<(u64, u32)>,
}

impl Count {
    fn finish(&self, path: &Path, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
        let Count { answers, different, first } = self;
        if format == Format::Json {
            let first =
                first.map(|(game, number)| serde_json::json!({"game": game, "move": number}));
            let result =
                serde_json::json!({"answers": answers, "different": different, "first": first});
            writeln!(out, "{}", serde_json::json!({ "result": result }))?;
        }
        match first {
            Some((game, number)) => Err(Failure::Different(format!(
                "{}: {different} of {answers} answers are different, first at game {game}, move {number}",
                path.display()
            ))),
            None if *answers == 0 => {
                Err(Failure::Usage(format!("{}: nobody to ask there", path.display())))
            }
            None if format == Format::Text => Ok(writeln!(out, "{answers} answers, all the same")?),
            None => Ok(()),
        }
    }
}

fn rerun_game(
    recalled: &Recalled,
    contenders: &BTreeMap<String, Contender>,
    request: &RerunRequest,
    told: Told,
    count: &mut Count,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let supervisor = setup::supervisor()?;
    let mut contenders = contenders.clone();
    if let Some(seat) = request.seat {
        let name = recalled.game.seats.get(seat).ok_or_else(|| {
            let seats = recalled.game.seats.len();
            Failure::Usage(format!("seat {seat}, expected one of {seats} from 0"))
        })?;
        contenders.retain(|own, _| own == name);
    }
    let mut report: Box<dyn Report + '_> = match request.format {
        Format::Text => Box::new(TextReport { out, told }),
        Format::Json => Box::new(JsonReport(out)),
    };
    for _ in 0..request.times {
        let mut written = Ok(());
        rerun(recalled, &contenders, supervisor, &mut |compared| {
            count.answers += 1;
            if !compared.are_same() {
                count.different += 1;
                count.first.get_or_insert((compared.game, compared.moment.number));
            }
            if written.is_ok() {
                written = report.compared(compared);
            }
        })
        .map_err(|stopped| match stopped {
            Stopped::Log(error) => failure(&request.log, error),
            Stopped::Machine(why) => Failure::Ours(why),
        })?;
        written?;
    }
    Ok(())
}

/// The players that are asked, by their names in the log.
fn contenders(
    header: &Header,
    request: &RerunRequest,
) -> Result<BTreeMap<String, Contender>, Failure> {
    let search = setup::search_path()?;
    let mut others: BTreeMap<&str, &BotSpec> = BTreeMap::new();
    for bot in &request.bots {
        let name = bot.given_name().ok_or_else(|| {
            let command = printable(bot.command());
            Failure::Usage(format!("`{command}` has no name, expected --bot NAME=COMMAND"))
        })?;
        if !header.players.iter().any(|player| player.name == name) {
            let names: Vec<&str> = header.players.iter().map(|it| it.name.as_str()).collect();
            let problem =
                format!("no bot `{name}` in the log, expected one of {}", names.join(", "));
            return Err(Failure::Usage(problem));
        }
        others.insert(name, bot);
    }
    let mut contenders = BTreeMap::new();
    for player in &header.players {
        let other = others.get(player.name.as_str()).copied();
        if other.is_none() && !others.is_empty() {
            continue;
        }
        if other.is_none() && player.command == person::COMMAND {
            say(format!("note: {} is a person, who is not asked again", player.name));
            continue;
        }
        contenders.insert(player.name.clone(), contender(player, other, &search)?);
    }
    Ok(contenders)
}

fn contender(
    player: &PlayerLine,
    other: Option<&BotSpec>,
    search: &SearchPath,
) -> Result<Contender, Failure> {
    let usage = |error: String| Failure::Usage(format!("bot `{}`: {error}", player.name));
    let bot: BotSpec = match other {
        Some(bot) => bot.clone(),
        None => {
            let text = format!("dialect={} {}", player.dialect, player.command);
            text.parse().map_err(|error: crate::bot::BadBot| usage(error.to_string()))?
        }
    };
    let bot = bot.opened().map_err(|error| usage(error.to_string()))?;
    if bot.dialect() != player.dialect {
        let expected = player.dialect;
        let problem = format!("speaks the {} dialect, expected the {expected} one", bot.dialect());
        return Err(usage(problem));
    }
    let contender = Contender::prepare(&bot, &player.name, Limits::from(player.limits), search)
        .map_err(|error| Failure::Start(format!("bot `{}`: {error}", player.name)))?;
    if other.is_none() {
        tell_changes(player, &contender);
    }
    Ok(contender)
}

/// Says which files are others than those that played: then a difference proves nothing.
fn tell_changes(player: &PlayerLine, contender: &Contender) {
    let now = contender.digests();
    for file in player.files.iter().filter(|file| !now.contains(file)) {
        let (name, word) = (&player.name, printable(&file.word));
        say(format!("note: bot {name}: `{word}` is not the file that played"));
    }
    if player.dialect == Dialect::Classic {
        let name = &player.name;
        say(format!("note: bot {name}: its folder is a new one in each game, whatever it kept"));
    }
}
