//! The results of a league for a grade book: who, with which bot, on which rank, and what was out of the ordinary.

use bot::manifest::ProgramMode;
use serde::Serialize;
use text::failure::Failure;
use text::printable;

use crate::calendar::Calendar;
use crate::folder::LeagueFolder;
use crate::index::LeagueIndex;
use crate::participants::{Participant, Participants};
use crate::stage;
use crate::state::{League, LeagueMember, LeaveReason, Membership};
use crate::version::BotVersion;
use standings::{Row, Standings};

#[derive(Debug)]
pub struct LeagueResults {
    /// The names of the stages that are over, in their order.
    pub stages: Vec<String>,
    /// Participants and bots without one, the best first; those without a rank come last, by their names.
    pub rows: Vec<ResultRow>,
    /// Number of bots with a rank.
    pub ranked: usize,
}

/// The result of a participant with a bot, or of a bot of the organiser.
#[derive(Debug, Serialize)]
pub struct ResultRow {
    /// The participant; none for a bot of the organiser.
    pub participant: Option<String>,
    /// The person behind it, as the organiser knows it.
    pub person: Option<String>,
    /// Members of a team with tokens.
    pub members: Vec<String>,
    /// The version that plays, or played last.
    pub bot: Option<BotVersion>,
    pub state: Option<Membership>,
    pub left: Option<LeaveReason>,
    /// Its rank among the bots that play.
    pub rank: Option<usize>,
    /// Number of games that count.
    pub games: u64,
    /// Points over all games.
    pub points: Option<f64>,
    /// Share of the others that it did better than, from 0 to 1.
    pub score: Option<f64>,
    /// Rating with the ends of its 95% interval.
    pub rating: Option<f64>,
    pub rating_low: Option<f64>,
    /// Upper end of the interval.
    pub rating_high: Option<f64>,
    /// Number of games that it forfeited.
    pub forfeits: u64,
    /// Number of those that are suspect: the machine may have caused them.
    pub suspect_forfeits: u64,
    /// Places in the stages that are over, in their order; none where it did not play.
    pub places: Vec<Option<StageResult>>,
    /// What was out of the ordinary, a sentence each.
    pub exceptions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageResult {
    /// Its place: one number, or the first and the last of those that are shared.
    pub place: String,
    /// How that was decided: its last match of a knockout, or what separates it from the others.
    pub decided: String,
}

impl LeagueResults {
    /// Reads the results after the last finished round.
    ///
    /// # Errors
    ///
    /// Fails if the league cannot be read.
    pub fn read(folder: &LeagueFolder) -> Result<LeagueResults, Failure> {
        let (league, participants) = (folder.read()?, Participants::read(folder)?);
        let (calendar, index) = (folder.calendar()?, LeagueIndex::open(&league, folder)?);
        let all = index.standings();
        let playing = league.active_in(&all);
        let source = ResultInput {
            league: &league,
            calendar: &calendar,
            index: &index,
            all: &all,
            playing: &playing,
        };
        let house = league.members().iter().filter(|member| {
            member.membership != Membership::Replaced && !participants.has(&member.entry.bot.bot)
        });
        let of_participants = participants.all().flat_map(|(name, participant)| {
            let further = participant.further_bots().filter(|bot| league.newest(bot).is_some());
            let bots = std::iter::once(name).chain(further);
            bots.map(|bot| source.row(bot, Some((name, participant)))).collect::<Vec<_>>()
        });
        let mut rows: Vec<ResultRow> = of_participants
            .chain(house.map(|member| source.row(&member.entry.bot.bot, None)))
            .collect();
        rows.sort_by_key(|row| (row.rank.unwrap_or(usize::MAX), row.participant.clone()));
        let over = league.stages().iter().filter(|stage| stage.is_over());
        let stages = over
            .map(|it| format!("stage {} {}", it.line.stage, printable(&it.line.name)))
            .collect();
        Ok(LeagueResults { stages, rows, ranked: playing.all.rows.len() })
    }
}

struct ResultInput<'a> {
    league: &'a League,
    calendar: &'a Calendar,
    index: &'a LeagueIndex,
    all: &'a Standings,
    playing: &'a Standings,
}

impl ResultInput<'_> {
    fn row(&self, name: &str, of: Option<(&str, &Participant)>) -> ResultRow {
        let participant = of.map(|(_, participant)| participant);
        let member = self.league.current(name);
        let bot = member.map(|member| member.entry.bot.clone());
        let row = |standings: &Standings| -> Option<Row> {
            let shown = bot.as_ref()?.to_string();
            standings.all.rows.iter().find(|row| row.name == shown).cloned()
        };
        let (all, playing) = (row(self.all), row(self.playing));
        let played = all.as_ref().filter(|row| row.games > 0);
        let rating = played.and_then(|row| row.rating);
        let interval = rating.and_then(|rating| rating.interval);
        ResultRow {
            participant: of.map(|(participant, _)| participant.to_owned()),
            person: participant.and_then(|it| it.person.clone()),
            members: participant
                .map_or_else(Vec::new, |it| it.members().map(str::to_owned).collect()),
            state: member.map(|member| member.membership),
            left: member.and_then(|member| member.left.clone()),
            rank: playing.filter(|row| row.games > 0).map(|row| row.rank),
            games: played.map_or(0, |row| row.games),
            points: played.map(|row| row.points_for),
            score: played.and_then(|row| row.score).map(|score| score.value),
            rating: rating.map(|rating| rating.value),
            rating_low: interval.and_then(|it| it.low),
            rating_high: interval.and_then(|it| it.high),
            forfeits: played.map_or(0, |row| row.forfeits.values().sum()),
            suspect_forfeits: bot
                .as_ref()
                .map_or(0, |bot| self.index.suspect_forfeits(self.league, bot)),
            places: self.places(name),
            exceptions: self.exceptions(
                name,
                of.map_or(name, |(participant, _)| participant),
                member,
            ),
            bot,
        }
    }

    /// The places of a bot in the stages that are over, with whichever version.
    fn places(&self, name: &str) -> Vec<Option<StageResult>> {
        let over = self.league.stages().iter().filter(|stage| stage.is_over());
        over.map(|stage| {
            let places = stage.places();
            let own = places
                .iter()
                .find(|place| stage.bot(place.seed).is_some_and(|bot| bot.bot == name))?;
            let last = stage::output::last_match(&stage.decisions(), own.seed);
            let decided = last.unwrap_or_else(|| stage::output::separated_by(own));
            Some(StageResult { place: stage::output::rank(own), decided })
        })
        .collect()
    }

    fn exceptions(
        &self,
        name: &str,
        participant: &str,
        member: Option<&LeagueMember>,
    ) -> Vec<String> {
        let names = [name, participant].into_iter().take(if name == participant { 1 } else { 2 });
        let of_names = names.flat_map(|name| self.league.exceptions().of_participant(name));
        let of_name = of_names.map(|it| it.in_words(self.calendar));
        let chosen = member.and_then(|member| member.chosen.as_ref()).map(|it| it.in_words());
        let left = member.and_then(|member| member.left.as_ref()).map(|left| {
            let how = if left.disqualified { "disqualified" } else { "retired" };
            format!("{how}: {}", printable(&left.reason))
        });
        let all = self.league.corrections().all().iter();
        let void = all.filter(|it| it.line.bot.as_ref().is_some_and(|bot| bot.bot == name));
        let void = void.map(crate::correction::Correction::in_words);
        let is_remote = member.is_some_and(|member| member.entry.mode == ProgramMode::Remote);
        let remote = is_remote.then(|| "ran on its author's machine (remote)".to_owned());
        of_name.chain(chosen).chain(remote).chain(left).chain(void).collect()
    }
}
