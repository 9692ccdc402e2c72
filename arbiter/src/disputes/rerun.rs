//! Asking bots again what a log says they were asked, and comparing the answers.
//!
//! A bot gets every request of a game in order, byte for byte, in a fresh scratch folder, under the
//! limits that the log names. Nothing that it answers now changes the game: the next request is the
//! logged one. So each answer is compared for itself, and a bot that differs once can be seen to
//! continue differing, or not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bot::grants::IsolationSpec;
use bot::manifest::ProgramMode;
use bot::{BotSpec, Contender, sighted};
use bots::programs::YARDSTICKS;
use contest::playing::Player;
use contest::playing::bot::Bot;
use contest::tournament::copies::opened_bot;
use league::folder::{LeagueFolder, is_copied};
use rules::record::ClassicReply;
use rules::{
    AnswerRecord, Dialect, ElapsedTime, EscapedBytes, FailureCause, GameKind, JudgedAnswer,
    Measurements, PerSeat, Question, Seat, Verdict,
};
use sandbox::{Limits, SearchPath, Supervisor};
use serde::Serialize;
use series::{Header, PlayerKind, PlayerLine};
use text::failure::Failure;
use text::printable;
use text::terminal::say;

use super::{LoggedGame, RequestPlace, failure};

/// Asks these players what they were asked in a game, and gives every answer to `each`.
///
/// `contenders` are by name; seats of other players are passed over.
pub(crate) fn rerun(
    log: &Path,
    played: &LoggedGame,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
    time: Repetition,
    each: &mut dyn FnMut(&AnswerComparison<'_>),
) -> Result<(), Failure> {
    let mut players = players(played, contenders, supervisor);
    let mut failed = None;
    let asked = played.questions(&mut |moment, question, logged, measured| {
        let Some(player) = &mut players[moment.seat] else { return };
        if failed.is_some() || logged.verdict == Verdict::Void {
            return;
        }
        let (now, own) = ask(player, question);
        if now.ruling.verdict == Verdict::Void {
            failed = Some(now.ruling.detail);
            return;
        }
        let name = &played.name(moment.seat);
        let (logged, now) = ((logged, measured), (&now, &own));
        let (kind, game) = (played.series.kind(), played.game.game);
        each(&AnswerComparison { kind, game, time, moment, name, logged, now });
    });
    asked.map_err(|error| failure(log, error))?;
    match failed {
        Some(why) => Err(Failure::Ours(why)),
        None => Ok(()),
    }
}

fn ask(player: &mut Bot, question: &Question<'_>) -> (JudgedAnswer, Measurements) {
    let reply = player.ask(question.prompt(), question.allowed().special_time());
    let elapsed = ElapsedTime::from(&reply.measured);
    (question.judge_after(reply.answer, elapsed), reply.measured)
}

fn players(
    played: &LoggedGame,
    contenders: &BTreeMap<String, Contender>,
    supervisor: Supervisor,
) -> PerSeat<Option<Bot>> {
    let player = |seat: Seat| {
        let named = played.game.seats.get(seat.index()).and_then(|name| contenders.get(name));
        named.map(|contender| Bot::new(contender, supervisor))
    };
    let seats = played.series.players(played.game.game);
    seats.seats().map(player).collect::<Vec<_>>().into()
}

/// Conditions for asking again, besides those of the log.
#[derive(Debug)]
pub(crate) struct RerunConditions {
    pub search: SearchPath,
    pub isolation: IsolationSpec,
    /// Paths that no bot may see.
    pub kept: Vec<PathBuf>,
    /// The league in which the games were played, if any: it has copies of bots.
    pub league: Option<LeagueFolder>,
    /// The folder with the log: that of a tournament may have copies of bots.
    pub tournament: PathBuf,
}

/// The players of a log, each made ready when it is first needed: rerunning your own bot does not need
/// the bots of the others.
pub(crate) struct RerunPlayers {
    players: Vec<PlayerLine>,
    answering: PlayerKind,
    /// Other programs, by the names of the players whose places they take.
    others: BTreeMap<String, BotSpec>,
    conditions: RerunConditions,
    /// `None` for players that are not asked.
    ready: BTreeMap<String, Option<Contender>>,
}

impl RerunPlayers {
    /// The players of this log; if there are `others`, only these are asked.
    pub(crate) fn new(
        header: &Header,
        others: &[BotSpec],
        conditions: RerunConditions,
    ) -> Result<RerunPlayers, Failure> {
        let players: Vec<String> = header.players.iter().map(|it| it.name.clone()).collect();
        conditions.isolation.grants.check_names(&players)?;
        let mut named: BTreeMap<String, BotSpec> = BTreeMap::new();
        for bot in others {
            let name = bot.given_name().ok_or_else(|| {
                let command = printable(bot.command());
                Failure::Usage(format!("`{command}` has no name: write --bot NAME=COMMAND"))
            })?;
            if !header.players.iter().any(|player| player.name == name) {
                let names: Vec<&str> = header.players.iter().map(|it| it.name.as_str()).collect();
                let names = names.join(", ");
                let problem = format!("no bot `{name}` in the log: use one of {names}");
                return Err(Failure::Usage(problem));
            }
            if named.insert(name.to_owned(), bot.clone()).is_some() {
                return Err(Failure::Usage(format!("two commands for bot `{name}`")));
            }
        }
        let (players, ready) = (header.players.clone(), BTreeMap::new());
        Ok(RerunPlayers { players, answering: header.answering, others: named, conditions, ready })
    }

    /// The named players that are asked, by name.
    pub(crate) fn contenders<'a>(
        &mut self,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<BTreeMap<String, Contender>, Failure> {
        let mut asked = BTreeMap::new();
        for name in names {
            if !self.ready.contains_key(name) {
                let contender = self.prepare(name)?;
                self.ready.insert(name.to_owned(), contender);
            }
            if let Some(Some(contender)) = self.ready.get(name) {
                asked.insert(name.to_owned(), contender.clone());
            }
        }
        let (names, contenders): (Vec<String>, Vec<Contender>) = asked.into_iter().unzip();
        let RerunConditions { isolation, kept, .. } = &self.conditions;
        Ok(names.into_iter().zip(sighted(contenders, &isolation.grants, kept)).collect())
    }

    fn prepare(&self, name: &str) -> Result<Option<Contender>, Failure> {
        let Some(player) = self.players.iter().find(|player| player.name == name) else {
            return Ok(None);
        };
        match self.others.get(name) {
            Some(other) => self.contender(player, other.clone()).map(Some),
            None if !self.others.is_empty() => Ok(None),
            None if player.is_person() => {
                say(format!("note: {name} is a person, whose moves are not rerun"));
                Ok(None)
            }
            None if player.mode == ProgramMode::Remote => {
                say(format!("note: {name} is remote: there is nothing to run here"));
                Ok(None)
            }
            None => {
                let bot = self.bot(player)?;
                self.check_program(player, &bot)?;
                let contender = self.contender(player, bot).map_err(not_here)?;
                tell_changes(player, &contender);
                Ok(Some(contender))
            }
        }
    }

    fn bot(&self, player: &PlayerLine) -> Result<BotSpec, Failure> {
        let league = self.conditions.league.as_ref();
        match league.filter(|_| is_copied(&player.command)) {
            None => {
                let bot = player.bot().map_err(|error| usage(player, error))?;
                opened_bot(bot, &player.name, &self.conditions.tournament)
                    .map_err(|error| usage(player, error))
            }
            Some(league) => {
                let bot = player.name.parse().map_err(|error| usage(player, error))?;
                league.copied_bot(&bot).map_err(Failure::Start)
            }
        }
    }

    /// Refuses players that exist in simulations only, as there is no program of them.
    fn check_program(&self, player: &PlayerLine, bot: &BotSpec) -> Result<(), Failure> {
        let program = bot.words().first().map(String::as_str).unwrap_or_default();
        let is_yardstick = YARDSTICKS.iter().any(|yardstick| yardstick.name == program);
        match self.answering {
            PlayerKind::InProcess if is_yardstick => Err(Failure::Start(format!(
                "bot `{0}`: `{program}` exists only in `simulate`: replace it with --bot \
                 NAME=COMMAND, or rerun other bots",
                player.name
            ))),
            PlayerKind::InProcess | PlayerKind::Programs => Ok(()),
        }
    }

    fn contender(&self, player: &PlayerLine, bot: BotSpec) -> Result<Contender, Failure> {
        let bot = match bot.folder() {
            Some(_) => bot,
            None => bot.opened().map_err(|error| usage(player, error))?,
        };
        if bot.dialect() != player.dialect {
            let (own, expected) = (bot.dialect(), player.dialect);
            let problem = format!("speaks the {own} dialect, not the {expected} one");
            return Err(usage(player, problem));
        }
        let RerunConditions { isolation, .. } = &self.conditions;
        isolation.check(&player.name, &bot).map_err(Failure::usage)?;
        // A person has none, nor has a player of a simulation, so a program in the place of one has
        // those of any bot.
        let limits = match self.answering {
            PlayerKind::Programs if !player.is_person() => player.limits,
            PlayerKind::Programs | PlayerKind::InProcess => Limits::DEFAULT,
        };
        let beyond = isolation.outside_access(&player.name);
        Contender::prepare(&bot, &player.name, limits, &self.conditions.search, &beyond)
            .map_err(|error| Failure::Start(format!("bot `{}`: {error}", player.name)))
    }
}

/// The log may lie in another folder than the one where it was played.
fn not_here(failure: Failure) -> Failure {
    match failure {
        Failure::Start(problem) => Failure::Start(format!(
            "{problem}; paths in a log are relative to the current folder, or use --bot NAME=COMMAND"
        )),
        other => other,
    }
}

fn usage(player: &PlayerLine, error: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("bot `{}`: {error}", player.name))
}

/// Names the files that have changed since the game: then a difference proves nothing.
fn tell_changes(player: &PlayerLine, contender: &Contender) {
    let now = contender.digests();
    let name = &player.name;
    for file in player.files.iter().filter(|file| !now.contains(file)) {
        let word = printable(&file.word);
        say(format!("note: bot {name}: `{word}` differs from the file that played"));
    }
    if matches!(player.dialect, Dialect::Classic(_)) {
        say(format!("note: bot {name}: each game starts with an empty folder, without kept files"));
    }
}

/// The parts of an answer that are compared: all but its times and its standard error.
#[derive(Debug, Clone)]
pub(crate) struct ComparedAnswer<'a> {
    reply: &'a EscapedBytes,
    classic: Option<&'a ClassicReply>,
    verdict: Verdict,
    cause: Option<FailureCause>,
}

impl ComparedAnswer<'_> {
    /// Returns true if both are the same move, in any spelling, or the same fault.
    ///
    /// Faults of the text are the same if the texts are, and crashes if the programs ended in the same way.
    /// For other faults, the output before them is left to chance.
    pub(crate) fn is_same(&self, other: &ComparedAnswer<'_>, kind: &GameKind) -> bool {
        if self.verdict != other.verdict {
            return false;
        }
        match self.verdict {
            Verdict::Ok => self.played(kind) == other.played(kind),
            Verdict::Illegal | Verdict::Malformed | Verdict::NoAnswer => {
                self.reply == other.reply && self.classic == other.classic
            }
            Verdict::Crash => self.cause == other.cause,
            _ => true,
        }
    }

    /// A legal move in its one spelling. In the classic dialect it is the new content of the file;
    /// what the program prints besides is ignored.
    fn played(&self, kind: &GameKind) -> String {
        let text = String::from_utf8_lossy(&self.reply.0);
        match self.classic {
            None => kind.spelt(text.trim()).unwrap_or_else(|| text.into_owned()),
            Some(ClassicReply { file, .. }) => format!("{file:?} {}", text.trim_end()),
        }
    }
}

impl<'a> From<&'a AnswerRecord> for ComparedAnswer<'a> {
    fn from(answer: &'a AnswerRecord) -> ComparedAnswer<'a> {
        let AnswerRecord { reply, classic, verdict, .. } = answer;
        let cause = answer.cause();
        ComparedAnswer { reply, classic: classic.as_ref(), verdict: *verdict, cause }
    }
}

impl<'a> From<&'a JudgedAnswer> for ComparedAnswer<'a> {
    fn from(judged: &'a JudgedAnswer) -> ComparedAnswer<'a> {
        let JudgedAnswer { reply, classic, ruling } = judged;
        let (verdict, cause) = (ruling.verdict, ruling.cause());
        ComparedAnswer { reply, classic: classic.as_ref(), verdict, cause }
    }
}

/// A logged answer beside the present one.
#[derive(Debug)]
pub(crate) struct AnswerComparison<'a> {
    pub kind: &'a GameKind,
    pub game: u64,
    pub time: Repetition,
    pub moment: RequestPlace,
    pub name: &'a str,
    pub logged: (&'a AnswerRecord, &'a Measurements),
    pub now: (&'a JudgedAnswer, &'a Measurements),
}

/// One of the times that a game is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// Its number, from 1.
    pub number: u32,
    pub of: u32,
}

impl AnswerComparison<'_> {
    pub(crate) fn are_same(&self) -> bool {
        ComparedAnswer::from(self.logged.0).is_same(&ComparedAnswer::from(self.now.0), self.kind)
    }

    pub(crate) fn place(&self) -> AnswerPlace {
        let RequestPlace { number, retry, seat } = self.moment;
        AnswerPlace { game: self.game, number, retry, seat }
    }
}

#[derive(Debug, Default)]
pub(crate) struct ComparisonCounts {
    pub answers: u64,
    pub different: u64,
    /// The place of the first difference.
    pub first: Option<AnswerPlace>,
    /// Of the different answers, those that were a fault in the log and are none now.
    pub faults_gone: u64,
    /// Those that are a fault now alone.
    pub faults_new: u64,
    /// The number of differences at each place.
    pub places: BTreeMap<AnswerPlace, u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct AnswerPlace {
    pub game: u64,
    #[serde(rename = "move")]
    pub number: u32,
    pub retry: u32,
    pub seat: Seat,
}

impl ComparisonCounts {
    pub(crate) fn add(&mut self, compared: &AnswerComparison<'_>) {
        self.answers += 1;
        if !compared.are_same() {
            let place = compared.place();
            self.different += 1;
            self.first.get_or_insert(place);
            let is_fault = [compared.logged.0.verdict, compared.now.0.ruling.verdict];
            let [was_fault, is_fault] = is_fault.map(Verdict::is_fault);
            self.faults_gone += u64::from(was_fault && !is_fault);
            self.faults_new += u64::from(is_fault && !was_fault);
            *self.places.entry(place).or_default() += 1;
        }
    }
}
