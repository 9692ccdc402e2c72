//! The commands of `arbiter league` for its organiser.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use super::arguments::{number, report_format};
use super::game::opened;
use crate::commands::league::{
    CodeChange, EventsUntil, InviteChange, InviteRequest, InvitedPerson, NoticeChange,
    OrganiserChange, PauseChange, RulesRequest, TestGameRequest, accept, backup, certificates,
    change_rules, code, events, invite, notice, organiser, pause, restore, test_game,
};
use league::test_games::RequestedTestGame;
use text::failure::Failure;

#[derive(Debug, Subcommand)]
pub(super) enum OrganiseCommand {
    /// Invite participants to submit bots; prints their tokens once
    #[command(
        after_help = "Bots submitted with the token enter as NAME. Inviting again revokes the old \
token.

--csv FILE has a header line with `name` and, optionally, `member` and `person` (the real name); \
other columns are ignored. Prints a CSV of the new tokens; participants with a token are skipped. \
The submission page is part of `arbiter serve DIR --submit`.

Examples:
  arbiter league invite class anna
  arbiter league invite class anna --member ben
  arbiter league invite class --csv class.csv > tokens.csv"
    )]
    Invite {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Name of the participant and of their bot
        #[arg(value_name = "NAME", required_unless_present = "csv")]
        name: Option<String>,
        /// Team member to invite with a separate token
        #[arg(long, value_name = "MEMBER")]
        member: Option<String>,
        /// Real name, visible to the organiser and on certificates
        #[arg(long, value_name = "TEXT", conflicts_with = "revoke")]
        person: Option<String>,
        /// Revoke the token and those of all members; entered bots stay
        #[arg(long)]
        revoke: bool,
        /// Invite everyone in a CSV file
        #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "member", "person", "revoke"])]
        csv: Option<PathBuf>,
    },
    /// Create a registration code for the submission page
    #[command(
        after_help = "Everyone with the code can pick a name and get a token. A new code replaces \
the old one.

Example: arbiter league code class --uses 40"
    )]
    Code {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Number of registrations allowed
        #[arg(long, value_name = "N", default_value = "100", value_parser = number::<u64>("a number of people", 1..=10_000))]
        uses: u64,
        /// Revoke the code; registered participants stay
        #[arg(long, conflicts_with = "uses")]
        revoke: bool,
    },
    /// Publish a notice on all pages, or list the notices
    #[command(after_help = "Examples:
  arbiter league notice class \"The final begins on Friday at 18:00.\"
  arbiter league notice class --remove 1")]
    Notice {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Text of the notice
        #[arg(value_name = "TEXT")]
        text: Option<String>,
        /// Remove notice N
        #[arg(long, value_name = "N", conflicts_with = "text", value_parser = number::<u64>("a number of a notice", 1..))]
        remove: Option<u64>,
    },
    /// List late submissions, or accept a participant's latest
    #[command(after_help = "Example: arbiter league accept class anna")]
    Accept {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Participant
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Pause a league after the current games
    #[command(after_help = "A running `arbiter league run` waits until the pause ends.

Examples:
  arbiter league pause class
  arbiter league pause class --end")]
    Pause {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// End the pause
        #[arg(long)]
        end: bool,
    },
    /// Change the rules of a custom game, from the next round
    #[command(
        after_help = "The league keeps both versions of the rules and verifies each round by the \
one it began with. The current round is aborted: its games so far stay rated, or are replayed if \
it belongs to a stage. A round that is running, or planned in shards, finishes under the old \
rules. Game, seats and options cannot change.

Example: arbiter league rules class ./my-game --reason \"a showdown of two kings crashed\""
    )]
    Rules {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Game with the new rules: a folder, a .wasm module or a command
        #[arg(value_name = "GAME")]
        game: String,
        /// Reason, shown in the log and on the pages
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Play an unrated test game
    #[command(
        after_help = "With two seats, plays two games with seats swapped. Test games appear in no \
log, standings or feed; DIR/test-games/NAME keeps the last 20 per bot. Participants can play them \
on the submission page.

Example: arbiter league test-game class --bot anna --against greedy"
    )]
    TestGame {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Bot to test: NAME (latest version) or NAME@VERSION
        #[arg(long, value_name = "NAME")]
        bot: String,
        /// Opponent from the league; repeat for each other seat
        #[arg(long, value_name = "NAME", required = true)]
        against: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the event log: entries, rounds, overtakings
    #[command(after_help = "Also served as Atom feeds: feed.atom and feed/NAME.atom.

Examples:
  arbiter league events class --bot anna
  arbiter league events class --follow --json")]
    Events {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Only events of this bot
        #[arg(long, value_name = "NAME")]
        bot: Option<String>,
        /// Keep showing new events
        #[arg(long)]
        follow: bool,
        /// Print JSON, one line per event
        #[arg(long)]
        json: bool,
    },
    /// Write printable certificates, best bot first
    #[command(
        after_help = "Shows the place in the last finished stage and the rank in the standings, \
with the real name from `invite --person`.

Example: arbiter league certificates class -o certificates.html"
    )]
    Certificates {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// HTML file to create, ready to print
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Back up a league to one file, also while it runs
    #[command(
        after_help = "Contains everything except the index, which is rebuilt. Keep it private: it \
includes the bots of all participants.

Example: arbiter league backup class class-monday.tar.gz"
    )]
    Backup {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Backup file to create (.tar.gz), or `-` for standard output
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Restore a backup to a new folder
    #[command(after_help = "Example: arbiter league restore class-monday.tar.gz class-again")]
    Restore {
        /// Backup file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Folder to create
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
    /// Create a token for the organiser page
    #[command(
        after_help = "The organiser page is at organiser/ of `arbiter serve DIR --submit`. A new \
token replaces the old one.

Example: arbiter league organiser class"
    )]
    Organiser {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Revoke the token
        #[arg(long)]
        revoke: bool,
    },
}

impl OrganiseCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            OrganiseCommand::Invite { dir, name, member, person, revoke, csv } => {
                let person = InvitedPerson { name: name.unwrap_or_default(), member, person };
                let change = match (csv, revoke) {
                    (Some(list), _) => InviteChange::InviteAll(list),
                    (None, true) => InviteChange::Revoke(person),
                    (None, false) => InviteChange::Invite(person),
                };
                invite(InviteRequest { folder: dir, change }, out)
            }
            OrganiseCommand::Code { dir, uses, revoke } => {
                let change = if revoke { CodeChange::Revoke } else { CodeChange::New(uses) };
                code(&dir, change, out)
            }
            OrganiseCommand::Notice { dir, text, remove } => {
                let change = match (text, remove) {
                    (Some(text), _) => NoticeChange::Add(text),
                    (None, Some(number)) => NoticeChange::Remove(number),
                    (None, None) => NoticeChange::List,
                };
                notice(&dir, change, out)
            }
            OrganiseCommand::Accept { dir, name } => accept(&dir, name.as_deref(), out),
            OrganiseCommand::Pause { dir, end } => {
                pause(&dir, if end { PauseChange::End } else { PauseChange::Begin }, out)
            }
            OrganiseCommand::Rules { dir, game, reason } => {
                let game = opened(&game)?;
                change_rules(RulesRequest { folder: dir, game, reason }, out)
            }
            OrganiseCommand::TestGame { dir, bot, against, json } => {
                let (wish, format) = (RequestedTestGame { bot, against }, report_format(json));
                test_game(TestGameRequest { folder: dir, wish, format }, out)
            }
            OrganiseCommand::Events { dir, bot, follow, json } => {
                let until = if follow { EventsUntil::Stopped } else { EventsUntil::Now };
                events(&dir, bot.as_deref(), until, report_format(json), out)
            }
            OrganiseCommand::Certificates { dir, output } => certificates(&dir, &output, out),
            OrganiseCommand::Backup { dir, file } => backup(&dir, &file, out),
            OrganiseCommand::Restore { file, dir } => restore(&file, &dir, out),
            OrganiseCommand::Organiser { dir, revoke } => {
                let change = if revoke { OrganiserChange::Revoke } else { OrganiserChange::New };
                organiser(&dir, change, out)
            }
        }
    }
}
