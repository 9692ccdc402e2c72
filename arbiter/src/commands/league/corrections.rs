//! `arbiter league void`, `reinstate` and `corrections`; `retire`, `disqualify` and `choose`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use serde_json::json;

use bot::spelt_as_names;
use contest::tournament::folder::shown;
use league::audit;
use league::choice::{self, Chooser};
use league::correction::{Correction, reason_in_line};
use league::events::{self, LeagueEvent};
use league::folder::LeagueFolder;
use league::line::{LeagueLine, ReinstateLine, VoidLine};
use league::stage::ForfeitRule;
use league::stage::output::if_it_leaves;
use league::state::Leaving;
use league::{BotVersion, League};
use rules::NotText;
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// A round, or games of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VoidScope {
    pub(super) round: u64,
    /// In order; none for all of them.
    pub(super) games: Vec<u64>,
}

impl FromStr for VoidScope {
    type Err = NotText;

    fn from_str(text: &str) -> Result<VoidScope, NotText> {
        let wrong =
            || NotText::new("a round or games of a round, such as 3, 3/17 or 3/17,18", text);
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let (round, games) = match text.split_once('/') {
            None => (text, Vec::new()),
            Some((round, games)) => {
                (round, games.split(',').map(number).collect::<Result<Vec<u64>, NotText>>()?)
            }
        };
        let mut scope = VoidScope { round: number(round)?, games };
        scope.games.sort_unstable();
        scope.games.dedup();
        Ok(scope)
    }
}

/// The options of `arbiter league void`.
#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is deleted: the games stay in the log of their round and are verified, and \
`arbiter league standings --as-played` counts them. A round of a stage is void as a whole, with the \
later rounds of the stage; `arbiter league run` plays them again.

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
        let why = self.reason.map(|reason| Leaving { reason, disqualified: false });
        retire(&self.dir, &self.names, why, out)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Submissions with the token of a disqualified participant are refused. The games \
so far stay rated; make them void with `arbiter league void DIR --bot NAME@VERSION`.

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
        let why = Leaving { reason: self.reason, disqualified: true };
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
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        void(self, out)
    }
}

/// Makes games void: all that the arguments name, or none if it fails.
fn void(args: VoidArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let VoidArgs { dir, rounds, bot, reason } = args;
    let folder = LeagueFolder::open(&dir)?;
    let reason = reason_in_line(&reason)?;
    let line = |round: Option<u64>, games: Vec<u64>| VoidLine {
        round,
        games,
        bot: bot.clone(),
        reason: reason.clone(),
    };
    let mut before = 0;
    let league = folder.append(|league| {
        before = league.corrections().all().len();
        let mut lines: Vec<VoidLine> =
            rounds.iter().map(|it| line(Some(it.round), it.games.clone())).collect();
        if lines.is_empty() {
            lines.push(line(None, Vec::new()));
        }
        // A stage is taken back from its end.
        lines.sort_by_key(|line| std::cmp::Reverse(line.round));
        check(&folder, league, &lines)?;
        Ok::<_, Failure>(lines.into_iter().map(LeagueLine::Void).collect())
    })?;
    let path = word(folder.path());
    for correction in &league.corrections().all()[before..] {
        let (games, reason) = (correction.games_in_words(), correction.line.reason.clone());
        writeln!(out, "{games}: void")?;
        audit::add(&folder, audit::COMMAND, "void", &format!("{games}: void ({reason})"));
        events::add(&folder, LeagueEvent::Void { games, reason });
    }
    let of_stage = |number: &VoidScope| {
        league.rounds().iter().any(|it| it.line.round == number.round && it.line.stage.is_some())
    };
    match rounds.iter().any(of_stage) {
        true => Ok(writeln!(out, "next: arbiter league run {path}")?),
        false => Ok(writeln!(out, "next: arbiter league standings {path}")?),
    }
}

/// Checks what can be said better than by the log of a league.
fn check(folder: &LeagueFolder, league: &League, lines: &[VoidLine]) -> Result<(), Failure> {
    let usage = |problem: String| Err(Failure::Usage(problem));
    let last = league.rounds().iter().filter(|round| round.over.is_some()).count();
    if last == 0 {
        return usage(format!("`{}` has no finished rounds", shown(folder.path())));
    }
    for line in lines {
        let Some(number) = line.round else { continue };
        let found = league.rounds().iter().find(|round| round.line.round == number);
        let Some(round) = found.filter(|round| round.over.is_some()) else {
            return usage(format!("round {number} is not finished: rounds are 0 to {}", last - 1));
        };
        let is_whole = |it: &Correction| it.line.bot.is_none() && it.line.games.is_empty();
        let later = |other: &&league::state::Round| {
            other.line.stage == round.line.stage
                && other.line.round > number
                && other.over.as_ref().is_some_and(|over| over.broken.is_none())
                && !lines.iter().any(|line| line.round == Some(other.line.round))
                && !league.corrections().of_round(&other.line).any(is_whole)
        };
        let later = league.rounds().iter().filter(later).map(|it| it.line.round.to_string());
        let later: Vec<String> = later.filter(|_| round.line.stage.is_some()).collect();
        if !later.is_empty() {
            return usage(format!(
                "round {number} decides who plays later in its stage: also name {} {}",
                if later.len() == 1 { "round" } else { "rounds" },
                later.join(", ")
            ));
        }
    }
    for (place, line) in lines.iter().enumerate() {
        let active = league.corrections().all().iter().filter(|it| it.reinstated.is_none());
        // Of a bot in all rounds, there may be new rounds.
        let active = active.filter(|it| line.round.is_some() || it.is_of_first(last as u64));
        let known = active.map(|it| &it.line).chain(&lines[..place]);
        if known.into_iter().any(|other| has_all(other, line)) {
            let games = match (line.round, &line.bot) {
                (Some(number), _) => format!("these games of round {number}"),
                (None, Some(bot)) => format!("all games of {bot}"),
                (None, None) => "these games".to_owned(),
            };
            let folder = word(folder.path());
            return usage(format!(
                "{games} are void already: see `arbiter league corrections {folder}`"
            ));
        }
    }
    Ok(())
}

impl ReinstateArgs {
    /// Lets void games count again.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let reason = reason_in_line(&self.reason)?;
        let number = self.correction;
        let league = folder.append(|league| {
            let Some(found) = league.corrections().all().get(number) else {
                let folder = word(folder.path());
                return Err(Failure::Usage(format!(
                    "no correction {number}: `arbiter league corrections {folder}` lists them"
                )));
            };
            let line = ReinstateLine { void: found.digest, reason: reason.clone() };
            Ok(vec![LeagueLine::Reinstate(line)])
        })?;
        if let Some(it) = league.corrections().all().get(number) {
            let games = it.games_in_words();
            writeln!(out, "{games}: reinstated")?;
            let done = format!("{games}: reinstated ({reason})");
            audit::add(&folder, audit::COMMAND, "reinstate", &done);
            events::add(&folder, LeagueEvent::Reinstated { games, reason });
        }
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

/// Returns true if a line makes all games of another one void.
fn has_all(line: &VoidLine, other: &VoidLine) -> bool {
    line.round == other.round
        && (line.bot.is_none() || line.bot == other.bot)
        && (line.games.is_empty()
            || (!other.games.is_empty()
                && other.games.iter().all(|game| line.games.binary_search(game).is_ok())))
}

/// Says what follows in the open stage if these bots leave.
fn warn_of_stage(folder: &LeagueFolder, league: &League, names: &[String]) {
    let Some(stage) = league.open_stage() else { return };
    let names: Vec<String> = names.iter().map(|name| spelt_as_names(name)).collect();
    let leaving = (0..).zip(&stage.line.bots).filter(|(_, bot)| names.contains(&bot.bot));
    for (seed, bot) in leaving {
        say(match stage.line.forfeits {
            ForfeitRule::Listed => format!("warning: {}", if_it_leaves(stage, seed)),
            ForfeitRule::Unlisted => {
                let (number, folder) = (stage.line.stage, word(folder.path()));
                format!(
                    "warning: stage {number} continues with {bot} until `arbiter league stage \
                     {folder} --end`"
                )
            }
        });
    }
}

/// Lets the newest versions of these bots leave: all of them, or none if it fails.
fn retire(
    path: &Path,
    names: &[String],
    why: Option<Leaving>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let why = match why {
        Some(why) => Some(Leaving { reason: reason_in_line(&why.reason)?, ..why }),
        None => None,
    };
    warn_of_stage(&folder, &folder.read()?, names);
    let league = folder.retire(names, why.as_ref())?;
    let is_disqualified = why.as_ref().is_some_and(|why| why.disqualified);
    for name in names {
        if let Some(member) = league.current(name) {
            let bot = &member.entry.bot;
            let action = if is_disqualified { "disqualify" } else { "retire" };
            let reason = why.as_ref().map_or_else(String::new, |why| format!(" ({})", why.reason));
            audit::add(&folder, audit::COMMAND, action, &format!("{bot}{reason}"));
            writeln!(out, "{bot} {}", if is_disqualified { "disqualified" } else { "retired" })?;
            if let Some(Leaving { reason, disqualified }) = why.clone() {
                events::add(&folder, LeagueEvent::Left { bot: bot.clone(), reason, disqualified });
            }
        }
    }
    let active = league.active().count();
    Ok(writeln!(out, "{} left in the league", counted(active, "bot", "bots"))?)
}
