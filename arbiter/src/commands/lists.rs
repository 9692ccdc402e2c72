//! `arbiter games` and `arbiter bots`: lists of the built-in games and bots.

use std::io::{self, Write};

use bots::program::Program;
use bots::programs;
use clap::Args;
use rules::GameKind;
use serde::Serialize;
use text::failure::Failure;

use crate::options::report_format;
use crate::output::{JsonLines, OutputFormat};

const BOTS_HELP: &str = "`arbiter bot NAME` runs one of them by hand.

Example: arbiter bots";

#[derive(Debug, Args)]
#[command(after_help = BOTS_HELP)]
pub(crate) struct BotsArgs {
    /// Print JSON, one line per bot
    #[arg(long)]
    json: bool,
}

impl BotsArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        bots(report_format(self.json), out)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter games")]
pub(crate) struct GamesArgs {
    /// Print JSON, one line per game
    #[arg(long)]
    json: bool,
}

impl GamesArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        games(report_format(self.json), out)
    }
}

fn games(format: OutputFormat, out: &mut dyn Write) -> Result<(), Failure> {
    for kind in GameKind::ALL {
        let about = kind.about();
        match format {
            OutputFormat::Text => {
                writeln!(
                    out,
                    "{:8} {}\n{:8} options: {}",
                    about.name, about.about, "", about.options
                )?;
            }
            OutputFormat::Json => {
                let (name, about, options) = (about.name, about.about, about.options);
                JsonLines::new(&mut *out).line(&JsonGame { name, about, options })?;
            }
        }
    }
    Ok(())
}

fn bots(format: OutputFormat, out: &mut dyn Write) -> Result<(), Failure> {
    let programs = programs::ALL.map(|bot| (bot, BotAvailability::Everywhere));
    let yardsticks = programs::YARDSTICKS.map(|bot| (bot, BotAvailability::InSimulations));
    for (bot, plays) in programs.into_iter().chain(yardsticks) {
        match format {
            OutputFormat::Text => tell(out, bot, plays)?,
            OutputFormat::Json => JsonLines::new(&mut *out).line(&JsonBot::new(bot, plays))?,
        }
    }
    Ok(())
}

/// The place where a built-in bot can play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BotAvailability {
    Everywhere,
    InSimulations,
}

fn tell(out: &mut dyn Write, bot: &Program, plays: BotAvailability) -> io::Result<()> {
    writeln!(out, "{:10} {}", bot.name, bot.about)?;
    match plays {
        BotAvailability::Everywhere => {
            writeln!(out, "{:10} games: {}", "", bot.games())?;
            writeln!(out, "{:10} options:{}", "", bot.options_text())
        }
        BotAvailability::InSimulations => {
            writeln!(out, "{:10} games: {}, in simulate only", "", bot.games())
        }
    }
}

#[derive(Serialize)]
struct JsonGame<'a> {
    name: &'a str,
    about: &'a str,
    options: &'a str,
}

#[derive(Serialize)]
struct JsonBot {
    name: &'static str,
    about: &'static str,
    games: Vec<&'static str>,
    options: Vec<&'static str>,
    simulate_only: bool,
}

impl JsonBot {
    fn new(bot: &Program, plays: BotAvailability) -> JsonBot {
        let lines = bot.options.iter().flat_map(|text| text.lines());
        JsonBot {
            name: bot.name,
            about: bot.about,
            games: bot.games_played().collect(),
            options: lines.map(str::trim).filter(|line| !line.is_empty()).collect(),
            simulate_only: plays == BotAvailability::InSimulations,
        }
    }
}
