//! `arbiter league void`, `reinstate`, `replay` and `corrections`; `retire`, `disqualify` and `choose`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use league::BotVersion;
use league::audit;
use league::choice::{self, Chooser};
use league::folder::LeagueFolder;
use league::replay_request;
use league::state::LeaveReason;
use league::voiding::{self, CorrectionRequest, VoidScope};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The options of `arbiter league void`.
#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is deleted: the games stay in the log of their round and are verified, and \
`arbiter league standings --as-played` counts them. A round of a stage is void as a whole, with the \
later rounds of the stage; `arbiter league run` replays them.

Examples:
  arbiter league void class 3 --reason \"the machine ran out of memory\"
  arbiter league void class 3/17,18 --reason \"cards were visible\"
  arbiter league void class --bot ben@1 --reason \"copied from anna\""
)]
pub(super) struct VoidArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Rounds, or games of a round, such as 3, 3/17 or 3/17,18
    #[arg(value_name = "ROUND[/GAME]", required_unless_present = "bot")]
    rounds: Vec<VoidScope>,
    /// Only games of this version of a bot; without ROUND, in all rounds so far
    #[arg(long, value_name = "NAME@VERSION")]
    bot: Option<BotVersion>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league retire class ben --reason \"left the course\"")]
pub(super) struct RetireArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Names of bots, without versions
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl RetireArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let why = self.reason.map(|reason| LeaveReason { reason, disqualified: false });
        retire(&self.dir, &self.names, why, out)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Submissions with the token of a disqualified participant are rejected. The games \
so far stay rated; void them with `arbiter league void DIR --bot NAME@VERSION`.

Example: arbiter league disqualify class ben --reason \"copied from anna\""
)]
pub(super) struct DisqualifyArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Names of bots, without versions
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl DisqualifyArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let why = LeaveReason { reason: self.reason, disqualified: true };
        retire(&self.dir, &self.names, Some(why), out)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "The version plays from the next round on, with its rating so far, until a newer one \
enters. Participants choose on the submission page.

Example: arbiter league choose class anna@2 --reason \"anna asked by e-mail before the deadline\""
)]
pub(super) struct ChooseArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Version of a bot
    #[arg(value_name = "NAME@VERSION")]
    bot: BotVersion,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ChooseArgs {
    /// Lets an earlier version play in the place of the one that plays.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let organiser = Chooser::Organiser { reason: &self.reason };
        choice::choose(&folder, &self.bot, organiser)?;
        let done = format!("{} chosen ({})", self.bot, self.reason);
        audit::add(&folder, audit::COMMAND, "choose", &done);
        Ok(writeln!(out, "{} plays from the next round on", self.bot)?)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "CORRECTION is a number from `arbiter league corrections DIR`. A round of a \
stage stays void.

Example: arbiter league reinstate class 0 --reason \"the logs are complete\""
)]
pub(super) struct ReinstateArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of the correction
    #[arg(value_name = "CORRECTION")]
    correction: usize,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league corrections class")]
pub(super) struct CorrectionsArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Print JSON, one line per correction
    #[arg(long)]
    json: bool,
}

impl VoidArgs {
    /// Makes games void: all that the arguments name, or none if it fails.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let VoidArgs { dir, rounds, bot, reason } = self;
        let folder = LeagueFolder::open(&dir)?;
        let request = CorrectionRequest { rounds: &rounds, bot: bot.as_ref(), reason: &reason };
        let (done, league) = voiding::void(&folder, &request)?;
        for games in done {
            writeln!(out, "{games}: void")?;
            audit::add(&folder, audit::COMMAND, "void", &format!("{games}: void ({reason})"));
        }
        let path = word(folder.path());
        match request.is_of_stage(&league) {
            true => Ok(writeln!(out, "next: arbiter league run {path}")?),
            false => Ok(writeln!(out, "next: arbiter league standings {path}")?),
        }
    }
}

impl ReinstateArgs {
    /// Lets void games count again.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let games = voiding::reinstate(&folder, self.correction, &self.reason)?;
        writeln!(out, "{games}: reinstated")?;
        let done = format!("{games}: reinstated ({})", self.reason);
        audit::add(&folder, audit::COMMAND, "reinstate", &done);
        Ok(writeln!(out, "next: arbiter league standings {}", word(folder.path()))?)
    }
}

impl CorrectionsArgs {
    /// Lists the corrections of a league.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let league = folder.read()?;
        let all = league.corrections();
        if self.json {
            for view in all.views() {
                writeln!(out, "{}", json!({ "correction": view }))?;
            }
        } else if all.all().is_empty() {
            writeln!(out, "no corrections")?;
        } else {
            for (number, it) in all.all().iter().enumerate() {
                writeln!(out, "{number}  {}", it.in_words())?;
            }
        }
        Ok(())
    }
}

/// Lets the newest versions of these bots leave: all of them, or none if it fails.
fn retire(
    path: &Path,
    names: &[String],
    why: Option<LeaveReason>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.read()?;
    for follows in voiding::forecast_of_stage(&folder, &league, names) {
        say(format!("warning: {follows}"));
    }
    let (action, done) = match &why {
        Some(why) if why.disqualified => ("disqualify", "disqualified"),
        _ => ("retire", "retired"),
    };
    let reason = why.as_ref().map_or_else(String::new, |why| format!(" ({})", why.reason));
    let (left, league) = voiding::leave(&folder, names, why)?;
    for bot in left {
        audit::add(&folder, audit::COMMAND, action, &format!("{bot}{reason}"));
        writeln!(out, "{bot} {done}")?;
    }
    let active = league.active().count();
    Ok(writeln!(out, "{} left in the league", counted(active, "bot", "bots"))?)
}

/// The options of `arbiter league replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "The next round replays the tables of these games with new cards, in every seat rotation \
of a deal. Games that still count become void first, with the other games of their deal. Tables with \
inactive bots are skipped. To replay a round of a stage, use `arbiter league void`.

Examples:
  arbiter league replay class 3 --reason \"the machine ran out of memory\"
  arbiter league replay class 3/17,18 --reason \"cards were visible\"
  arbiter league replay class 3 --bot ben@1 --reason \"ben could not read its files\""
)]
pub(super) struct ReplayArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Rounds, or games of a round, such as 3, 3/17 or 3/17,18
    #[arg(value_name = "ROUND[/GAME]", required = true)]
    rounds: Vec<VoidScope>,
    /// Only games of this version of a bot
    #[arg(long, value_name = "NAME@VERSION")]
    bot: Option<BotVersion>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ReplayArgs {
    /// Has games played again: all that the arguments name, or none if it fails.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let (rounds, bot, reason) = (&self.rounds, self.bot.as_ref(), &self.reason);
        let (outcome, league) =
            replay_request::replay(&folder, &CorrectionRequest { rounds, bot, reason })?;
        for (round, bots, gone) in outcome.left_out {
            say(format!(
                "warning: {bots} in round {round} is not replayed: {gone} no longer plays"
            ));
        }
        for games in outcome.void {
            writeln!(out, "{games}: void")?;
        }
        for games in outcome.replayed {
            writeln!(out, "{games}: to be replayed")?;
            audit::add(&folder, audit::COMMAND, "replay", &format!("{games} ({reason})"));
        }
        if let Some(stage) = league.open_stage() {
            let number = stage.line.stage;
            say(format!("note: games are replayed after stage {number}"));
        }
        Ok(writeln!(out, "next: arbiter league run {}", word(folder.path()))?)
    }
}
