//! `arbiter league backup`, `publish`, `restore` and `certificates`: what an organiser keeps and shows of a league.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;

use contest::tournament::folder::shown;
use league::audit;
use league::backup::{self as backups, BackupSize};
use league::folder::LeagueFolder;
use league::publish::PublicLeague;
use report::Certificates;
use sandbox::new_file;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, system_error};

/// Stands for standard output.
const STANDARD_OUTPUT: &str = "-";

#[derive(Debug, Args)]
#[command(
    after_help = "Contains everything except the index, which is rebuilt. Keep it private: it \
includes the bots of all participants.

Example: arbiter league backup class class-monday.tar.gz"
)]
pub(super) struct BackupArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Backup file to create (.tar.gz), or `-` for standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl BackupArgs {
    /// Writes a league into a file, or to standard output, also while it is played.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let told = |name: &str, size: BackupSize| {
            let files = counted(size.files, "file", "files");
            format!("{name}: {files}, {}", ByteSize(size.bytes).display().iec())
        };
        if self.file != Path::new(STANDARD_OUTPUT) {
            let size = backups::write(&folder, &self.file)?;
            audit::add(&folder, audit::COMMAND, "backup", &shown(&self.file));
            return Ok(writeln!(out, "{}", told(&shown(&self.file), size))?);
        }
        if io::stdout().is_terminal() {
            return Err(Failure::usage(
                "cannot write a backup to a terminal: redirect standard output, or name a new file",
            ));
        }
        let size = backups::pack(&folder, out, "standard output")?;
        audit::add(&folder, audit::COMMAND, "backup", "standard output");
        say(told("standard output", size));
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Contains the logs of the league and of its rounds, and the rules of a custom game, without bots, \
participants, tokens, submissions and standard error. Omits the round in progress, because its seed is \
still secret, and later rounds while the pages are frozen.

Examples:
  arbiter league publish class -o class-log
  arbiter verify class-log"
)]
pub(super) struct PublishArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Folder to create
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

impl PublishArgs {
    /// Writes the public part of a league into a new folder, also while it is played.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let public = PublicLeague::find(&LeagueFolder::open(&self.dir)?)?;
        for (round, games) in public.rounds_with_texts()? {
            let games = counted(games, "game", "games");
            say(format!(
                "warning: the log of round {round} holds standard error of {games}, written by an earlier version: \
                 it is part of the proof and cannot be omitted"
            ));
        }
        if let Some(round) = public.open {
            say(format!(
                "note: round {round} is in progress and was omitted: publish again when it is finished"
            ));
        }
        public.write(&self.output)?;
        let games = counted(public.games, "game", "games");
        let rounds = counted(public.rounds.len(), "round", "rounds");
        let to = shown(&self.output);
        Ok(writeln!(out, "{to}: {games} in {rounds}, head {}", public.head)?)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league restore class-monday.tar.gz class-again")]
pub(super) struct RestoreArgs {
    /// Backup file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl RestoreArgs {
    /// Makes a league of a backup, in a new folder.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let league = backups::restore(&self.file, &self.dir)?;
        let games = counted(league.games(), "game", "games");
        let rounds = counted(league.rounds().len(), "round", "rounds");
        Ok(writeln!(out, "{}: {games} in {rounds}, head {}", shown(&self.dir), league.head())?)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Shows the place in the last finished stage and the rank in the standings, \
with the real name from `invite --person`.

Example: arbiter league certificates class -o certificates.html"
)]
pub(super) struct CertificatesArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// HTML file to create, ready to print
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl CertificatesArgs {
    /// Writes the certificates of all bots that play into a new file.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let file = &self.output;
        let folder = LeagueFolder::open(&self.dir)?;
        let Certificates { text, number } = report::certificates(&folder)?;
        let written = new_file::write_new_for_all(file, text.as_bytes());
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::Usage(format!("`{}` already exists", shown(file))),
            _ => Failure::Ours(format!("cannot write `{}`: {}", shown(file), system_error(error))),
        })?;
        let number = counted(number, "certificate", "certificates");
        Ok(writeln!(out, "{}: {number}", shown(file))?)
    }
}
