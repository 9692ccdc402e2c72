//! `arbiter games` and `arbiter bots`: lists of the built-in games and bots.

use std::io::Write;

use bots::programs;
use clap::Args;
use rules::GameKind;
use serde::Serialize;
use text::failure::Failure;

use crate::options::report_format;
use crate::output::{OutputFormat, json_line};

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
        let format = report_format(self.json);
        let programs = programs::ALL.into_iter().map(|bot| (bot, false));
        let yardsticks = programs::YARDSTICKS.into_iter().map(|bot| (bot, true));
        for (bot, simulate_only) in programs.chain(yardsticks) {
            match format {
                OutputFormat::Text => {
                    writeln!(out, "{:10} {}", bot.name, bot.about)?;
                    if simulate_only {
                        writeln!(out, "{:10} games: {}, in simulate only", "", bot.games())?;
                    } else {
                        writeln!(out, "{:10} games: {}", "", bot.games())?;
                        writeln!(out, "{:10} options:{}", "", bot.options_text())?;
                    }
                }
                OutputFormat::Json => {
                    let options = bot.options.iter().flat_map(|text| text.lines());
                    let line = JsonBot {
                        name: bot.name,
                        about: bot.about,
                        games: bot.games_played().collect(),
                        options: options.map(str::trim).filter(|it| !it.is_empty()).collect(),
                        simulate_only,
                    };
                    json_line(out, &line)?;
                }
            }
        }
        Ok(())
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
        let format = report_format(self.json);
        for kind in GameKind::ALL {
            let about = kind.about();
            let (name, about, options) = (about.name, about.about, about.options);
            match format {
                OutputFormat::Text => {
                    writeln!(out, "{name:8} {about}\n{:8} options: {options}", "")?;
                }
                OutputFormat::Json => {
                    json_line(out, &JsonGame { name, about, options })?;
                }
            }
        }
        Ok(())
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
