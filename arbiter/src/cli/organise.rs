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
    /// Let participants upload bots: prints new tokens, once
    #[command(
        after_help = "A bot uploaded with the token enters under NAME. Inviting again revokes the old token.\n\
                      With --csv, all in a list are invited at once, except those with a token; the\n\
                      first line names the columns `name` and, if wanted, `member` and `person`; others are\n\
                      ignored. The answer is a list with their tokens. `person` is for the organiser alone.\n\
                      `arbiter serve DIR --submit` serves the page for uploads.\n\n\
                      Examples:\n  arbiter league invite class anna\n  \
                      arbiter league invite class anna --member ben\n  \
                      arbiter league invite class --csv class.csv > tokens.csv"
    )]
    Invite {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The name of the participant and of their bots
        #[arg(value_name = "NAME", required_unless_present = "csv")]
        name: Option<String>,
        /// A member of a team, with a token of their own
        #[arg(long, value_name = "MEMBER")]
        member: Option<String>,
        /// The person behind the name, for the organiser alone
        #[arg(long, value_name = "TEXT", conflicts_with = "revoke")]
        person: Option<String>,
        /// Revoke the token, and those of all members; bots that have entered stay
        #[arg(long)]
        revoke: bool,
        /// Invite all in this list
        #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "member", "person", "revoke"])]
        csv: Option<PathBuf>,
    },
    /// Print a new code, with which people register by themselves on the page for uploads
    #[command(
        after_help = "Each picks a name, and gets a token. A new code replaces the old one.\n\n\
                      Example: arbiter league code class --uses 40"
    )]
    Code {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The number of people who may register with it
        #[arg(long, value_name = "N", default_value = "100", value_parser = number::<u64>("a number of people", 1..=10_000))]
        uses: u64,
        /// Revoke the code; those who have registered stay
        #[arg(long, conflicts_with = "uses")]
        revoke: bool,
    },
    /// Show a notice on the pages of a league, or list the notices
    #[command(
        after_help = "Examples:\n  arbiter league notice class \"The final begins on Friday at 18:00.\"\n  \
                      arbiter league notice class --remove 1"
    )]
    Notice {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The text of the notice
        #[arg(value_name = "TEXT")]
        text: Option<String>,
        /// Remove the notice with this number
        #[arg(long, value_name = "N", conflicts_with = "text", value_parser = number::<u64>("a number of a notice", 1..))]
        remove: Option<u64>,
    },
    /// List the submissions that came after the deadline, or accept the last one of a participant
    #[command(after_help = "Example: arbiter league accept class anna")]
    Accept {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The participant
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Pause a league: games that are being played end, and no new one begins
    #[command(
        after_help = "A running `arbiter league run` waits, and goes on when the pause ends.\n\n\
                      Examples:\n  arbiter league pause class\n  arbiter league pause class --end"
    )]
    Pause {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// End the pause
        #[arg(long)]
        end: bool,
    },
    /// Change the rules of a custom game from the next round on
    #[command(
        after_help = "The league keeps both rules, and each round is verified by those with which it began. An open\n\
                      round is aborted, and its games so far count; one of a stage is played again. One\n\
                      that is being played, or played in shards, ends by the former rules. Game, seats and\n\
                      options stay.\n\n\
                      Example: arbiter league rules class ./my-game --reason \"a showdown of two kings crashed\""
    )]
    Rules {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The game with its new rules: a folder, a .wasm module or a command
        #[arg(value_name = "GAME")]
        game: String,
        /// The reason, in the log and on the pages
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Play a test game between bots of a league, which counts for nothing
    #[command(
        after_help = "With two seats there are two games, with the seats changed. It is in no log, standings or feed\n\
                      of the league; `test-games/NAME` in its folder keeps the last 20 of each bot.\n\
                      Participants can play them on the page for uploads.\n\n\
                      Example: arbiter league test-game class --bot anna --against greedy"
    )]
    TestGame {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The bot, as NAME for its newest version, or as NAME@VERSION
        #[arg(long, value_name = "NAME")]
        bot: String,
        /// A bot that plays in the league; once for each other seat
        #[arg(long, value_name = "NAME", required = true)]
        against: Vec<String>,
        /// Print a line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what has happened in a league: bots that entered, rounds, bots that were overtaken
    #[command(
        after_help = "The pages have the same as feeds: feed.atom, and feed/NAME.atom for one bot.\n\n\
                      Examples:\n  arbiter league events class --bot anna\n  \
                      arbiter league events class --follow --json"
    )]
    Events {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Show only events of this bot
        #[arg(long, value_name = "NAME")]
        bot: Option<String>,
        /// Go on, and show new events as they happen
        #[arg(long)]
        follow: bool,
        /// Print a line of JSON for each event
        #[arg(long)]
        json: bool,
    },
    /// Write a page for printing for each bot, the best one first
    #[command(
        after_help = "Places are those of the last stage that is over, and those in the standings. A page has\n\
                      the person that `invite --person` names.\n\n\
                      Example: arbiter league certificates class -o certificates.html"
    )]
    Certificates {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// A new file, which a browser prints
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Write a league into one file, also while it is played
    #[command(
        after_help = "The file holds everything but the index, which is made anew. It is for you alone: it has\n\
                      the bots of all participants.\n\n\
                      Example: arbiter league backup class class-monday.tar.gz"
    )]
    Backup {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// A new file, a .tar.gz; `-` is standard output
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Make a league of a backup, in a new folder
    #[command(after_help = "Example: arbiter league restore class-monday.tar.gz class-again")]
    Restore {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A new folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
    /// Print a new token for the organiser's page, once
    #[command(
        after_help = "`arbiter serve DIR --submit` serves the page at organiser/. A new token replaces the\n\
                      old one.\n\nExample: arbiter league organiser class"
    )]
    Organiser {
        /// The folder of the league
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
