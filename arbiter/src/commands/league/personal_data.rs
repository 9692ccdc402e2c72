//! `arbiter league forget` and `audit`: what a league keeps about people.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use serde_json::json;

use crate::options::number;
use league::audit::{self, AuditLine};
use league::folder::LeagueFolder;
use league::forget::{self, Forgotten, ProofMentions};
use text::failure::Failure;
use text::{counted, printable, system_error};

#[derive(Debug, Args)]
#[command(
    after_help = "Replaces the real name by a pseudonym, and removes tokens, members, submitted files, \
reports, test games and standard error. The log stays unchanged, so it still verifies; it keeps the name of the bot, \
its moves and the organisers' reasons. Backups and published pages are not changed. Retire the bot first.

Example: arbiter league forget class anna"
)]
pub(super) struct ForgetArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Participant
    #[arg(value_name = "NAME")]
    name: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ForgetArgs {
    /// Forgets a participant, and says what the proof still holds.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let forgotten = forget::forget(&folder, &self.name)?;
        let Forgotten {
            name, pseudonym, submissions, test_games, rejections, texts, proof, ..
        } = &forgotten;
        audit::add(&folder, audit::COMMAND, "forget", &format!("{name}: {pseudonym}"));
        if self.json {
            return Ok(writeln!(out, "{}", json!({ "forgotten": forgotten }))?);
        }
        let removed = [
            counted(*submissions, "submission", "submissions"),
            counted(*test_games, "test game", "test games"),
            counted(*rejections, "rejection", "rejections"),
            counted(*texts, "text on standard error", "texts on standard error"),
        ];
        writeln!(out, "{name}: now {pseudonym}; removed files of {}", removed.join(", "))?;
        tell(proof, out)
    }
}

/// Says what the proof still holds.
fn tell(proof: &ProofMentions, out: &mut dyn Write) -> Result<(), Failure> {
    let ProofMentions { versions, rounds, reasons, copies } = proof;
    let listed = |all: Vec<String>| all.join(", ");
    if versions.is_empty() && reasons.is_empty() {
        return Ok(writeln!(out, "the proof holds nothing of this participant")?);
    }
    let names =
        |bots: &[league::BotVersion]| listed(bots.iter().map(ToString::to_string).collect());
    if !versions.is_empty() {
        writeln!(out, "in the proof: names, commands and digests of {}", names(versions))?;
    }
    if !rounds.is_empty() {
        let rounds = listed(rounds.iter().map(ToString::to_string).collect());
        writeln!(out, "in the proof: moves in rounds {rounds}")?;
    }
    for reason in reasons {
        writeln!(out, "in the proof: a reason: {}", printable(reason))?;
    }
    if !copies.is_empty() {
        writeln!(out, "kept: the copies of {}", names(copies))?;
    }
    Ok(())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Shows each action on the organiser page with the name of the token; all others were commands.

Example: arbiter league audit class --last 20"
)]
pub(super) struct AuditArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of actions
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<usize>("a number of actions", 1..))]
    last: usize,
    /// Print JSON, one line per action
    #[arg(long)]
    json: bool,
}

impl AuditArgs {
    /// Writes the last actions of organisers, the newest last.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let read = audit::latest(&folder, self.last);
        let actions = read.map_err(|error| Failure::Ours(system_error(error)))?;
        let calendar = folder.calendar()?;
        for action in actions.iter().rev() {
            let AuditLine { at, by, action: name, what } = action;
            if self.json {
                writeln!(out, "{}", json!({ "action": action }))?;
                continue;
            }
            let at = calendar.time_text(Timestamp::from_second(*at).unwrap_or_default());
            let [by, name, what] = [by, name, what].map(|text| printable(text));
            writeln!(out, "{at}  {by}  {name}: {what}")?;
        }
        if actions.is_empty() && !self.json {
            writeln!(out, "no actions yet")?;
        }
        Ok(())
    }
}
