//! `arbiter league`: a competition that stays open.

mod backups;
mod corrections;
mod display;
mod invite;
mod members;
mod new_league;
mod organise;
mod rounds;
mod run;
mod sharded_round;
mod stage;
mod watch;

use std::io::Write;

use clap::{Args, Subcommand};
use text::failure::Failure;

use super::league::display::ResultsArgs;
use backups::{BackupArgs, CertificatesArgs, PublishArgs, RestoreArgs};
use corrections::{
    ChooseArgs, CorrectionsArgs, DisqualifyArgs, ReinstateArgs, ReplayArgs, RetireArgs, VoidArgs,
};
use display::{EventsArgs, LeagueStandingsArgs, LeagueStatusArgs, PairingsArgs};
use invite::{CodeArgs, InviteArgs};
use members::{AddArgs, AuditArgs, ForgetArgs};
use new_league::{LeagueRulesArgs, NewLeagueArgs};
use organise::{
    AcceptArgs, LeagueExtendArgs, NoticeArgs, NotifyArgs, OrganiserArgs, PauseArgs, TestGameArgs,
};
use run::RunLeagueArgs;
use sharded_round::{PlanRoundArgs, TakeRoundArgs};
use stage::{StageArgs, StagesArgs};
use watch::WatchArgs;

const HELP: &str = "Bots can enter and leave at any time, even during a round. A bot that enters \
again becomes a new version, such as anna@2, with a new rating. Half of the tables of each round \
go to undecided pairs, half to the pairs that have met least.

Examples:
  arbiter league new class --game tablic
  arbiter league add class ./anna ./ben greedy
  arbiter league run class --for 2h
  arbiter league standings class";

/// `arbiter league`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct LeagueArgs {
    #[command(subcommand)]
    command: LeagueCommand,
}

#[derive(Debug, Subcommand)]
enum LeagueCommand {
    /// Create a league
    New(Box<NewLeagueArgs>),
    /// Add bots or new versions: copy, build and check each
    Add(AddArgs),
    /// Retire bots; their games stay rated for the others
    Retire(RetireArgs),
    /// Disqualify bots: they leave, and no later version may enter
    Disqualify(DisqualifyArgs),
    /// Choose an earlier version of a bot
    Choose(ChooseArgs),
    /// Make games void: they no longer count
    Void(VoidArgs),
    /// Replay games with new cards; the old games become void
    Replay(ReplayArgs),
    /// Reinstate void games, so that they count again
    Reinstate(ReinstateArgs),
    /// List corrections with their reasons
    Corrections(CorrectionsArgs),
    /// Invite participants to submit bots; prints their tokens once
    Invite(InviteArgs),
    /// Create a registration code for the submission page
    Code(CodeArgs),
    /// Publish a notice on all pages, or list the notices
    Notice(NoticeArgs),
    /// List late submissions, or accept a participant's latest
    Accept(AcceptArgs),
    /// Give a participant a later deadline
    Extend(LeagueExtendArgs),
    /// Pause a league after the current games
    Pause(PauseArgs),
    /// Change the rules of a custom game, from the next round
    Rules(LeagueRulesArgs),
    /// Play an unrated test game
    TestGame(TestGameArgs),
    /// Show the event log: new bots, rounds, rank changes
    Events(EventsArgs),
    /// Send events to a command as they happen, such as a webhook or mail
    Notify(NotifyArgs),
    /// Write printable certificates, best bot first
    Certificates(CertificatesArgs),
    /// Back up a league to one file, also while it runs
    Backup(BackupArgs),
    /// Publish the log: a folder without private data that anyone can verify
    Publish(PublishArgs),
    /// Restore a backup to a new folder
    Restore(RestoreArgs),
    /// Create a token for the organiser page
    Organiser(OrganiserArgs),
    /// List the actions of organisers and participants
    Audit(AuditArgs),
    /// Replace a person with a pseudonym, except in the proof
    Forget(ForgetArgs),
    /// Watch a folder and enter new or changed bots
    Watch(WatchArgs),
    /// Announce a stage: Swiss, knockout, double elimination, or groups plus knockout
    Stage(StageArgs),
    /// Show stages: matches, results and places
    Stages(StagesArgs),
    /// Play rounds until a limit or Ctrl-C
    Run(RunLeagueArgs),
    /// Plan the next round in shards for several machines
    PlanRound(PlanRoundArgs),
    /// Merge, verify and finish a planned round
    #[command(visible_alias = "finish-round")]
    TakeRound(TakeRoundArgs),
    /// Print the standings
    Standings(LeagueStandingsArgs),
    /// Write a table for a grade book
    Results(ResultsArgs),
    /// Show bots and progress
    Status(LeagueStatusArgs),
    /// Show the pairings of a round with reasons
    Pairings(PairingsArgs),
}

impl LeagueArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            LeagueCommand::New(arguments) => arguments.run(out),
            LeagueCommand::Add(arguments) => arguments.run(out),
            LeagueCommand::Retire(arguments) => arguments.run(out),
            LeagueCommand::Disqualify(arguments) => arguments.run(out),
            LeagueCommand::Choose(arguments) => arguments.run(out),
            LeagueCommand::Void(arguments) => arguments.run(out),
            LeagueCommand::Replay(arguments) => arguments.run(out),
            LeagueCommand::Reinstate(arguments) => arguments.run(out),
            LeagueCommand::Corrections(arguments) => arguments.run(out),
            LeagueCommand::Invite(arguments) => arguments.run(out),
            LeagueCommand::Code(arguments) => arguments.run(out),
            LeagueCommand::Notice(arguments) => arguments.run(out),
            LeagueCommand::Accept(arguments) => arguments.run(out),
            LeagueCommand::Extend(arguments) => arguments.run(out),
            LeagueCommand::Pause(arguments) => arguments.run(out),
            LeagueCommand::Rules(arguments) => arguments.run(out),
            LeagueCommand::TestGame(arguments) => arguments.run(out),
            LeagueCommand::Events(arguments) => arguments.run(out),
            LeagueCommand::Notify(arguments) => arguments.run(out),
            LeagueCommand::Certificates(arguments) => arguments.run(out),
            LeagueCommand::Backup(arguments) => arguments.run(out),
            LeagueCommand::Publish(arguments) => arguments.run(out),
            LeagueCommand::Restore(arguments) => arguments.run(out),
            LeagueCommand::Organiser(arguments) => arguments.run(out),
            LeagueCommand::Audit(arguments) => arguments.run(out),
            LeagueCommand::Forget(arguments) => arguments.run(out),
            LeagueCommand::Watch(arguments) => arguments.run(out),
            LeagueCommand::Stage(arguments) => arguments.run(out),
            LeagueCommand::Stages(arguments) => arguments.run(out),
            LeagueCommand::Run(arguments) => arguments.run(out),
            LeagueCommand::PlanRound(arguments) => arguments.run(out),
            LeagueCommand::TakeRound(arguments) => arguments.run(out),
            LeagueCommand::Standings(arguments) => arguments.run(out),
            LeagueCommand::Results(arguments) => arguments.run(out),
            LeagueCommand::Status(arguments) => arguments.run(out),
            LeagueCommand::Pairings(arguments) => arguments.run(out),
        }
    }
}
