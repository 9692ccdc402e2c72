//! A league as values for programs: what its pages show, as JSON.

use league::index::{IndexError, LeagueIndex};
use league::output::{LeagueStatus, pairings};
use league::rejections::StoredRejection;
use league::replay_request::GameMarks;
use league::state::{LeagueMember, Membership, Round};
use league::{calendar, stage};
use serde_json::{Map, Value, json};
use standings::{Entrant, HeadToHead};
use text::shell::without_folders;

use crate::league::bot::{FAULTS, LOST};
use crate::league::reading::LeagueReport;

impl LeagueReport {
    /// The league without its bots: the keys of `arbiter league status --json`, and its name.
    pub fn about(&self) -> Value {
        let mut told = json!(LeagueStatus::new(
            &self.league,
            &self.announced.calendar,
            calendar::now(),
            self.open,
            self.is_running,
        ));
        if let Value::Object(keys) = &mut told {
            keys.remove("bots");
            keys.insert("name".to_owned(), json!(self.title));
            keys.insert("stages".to_owned(), json!(self.league.stages().len()));
        }
        told
    }

    /// The versions of all bots from this place on, in the order of entry, each with its name as the standings have it.
    pub fn versions(&self, first: usize) -> impl Iterator<Item = (String, Value)> {
        self.league
            .members()
            .iter()
            .skip(first)
            .map(|member| (member.entry.bot.to_string(), Value::Object(self.version(member))))
    }

    fn version(&self, member: &LeagueMember) -> Map<String, Value> {
        let bot = member.entry.bot.to_string();
        let row = self.row(&bot);
        let told = json!({
            "bot": bot,
            "name": member.entry.bot.bot,
            "version": member.entry.bot.version,
            "state": member.membership,
            "left": member.left,
            "chosen": member.chosen,
            "command": without_folders(&member.entry.command),
            "row": row,
        });
        match told {
            Value::Object(keys) => keys,
            _ => Map::new(),
        }
    }

    /// The bot of this name with its rank and all of its versions, the newest one first, and the results of the one that plays, or
    /// played last, against each other bot that it met; none if none has that name.
    pub fn bot(&self, name: &str, index: &LeagueIndex) -> Result<Option<Value>, IndexError> {
        let members = self.league.members().iter().enumerate().rev();
        let mut versions = Vec::new();
        let mut current = None;
        let mut faults_left = FAULTS;
        for (place, member) in members.filter(|(_, member)| member.entry.bot.bot == name) {
            let entrant = Entrant(place);
            if member.membership != Membership::Replaced {
                current = Some((entrant, member));
            }
            let faults = index.faults(entrant, None, faults_left)?;
            faults_left -= faults.len().min(faults_left);
            let mut told = self.version(member);
            told.insert("ratings".to_owned(), json!(index.ratings(entrant)?));
            told.insert("faults".to_owned(), json!(faults));
            versions.push(Value::Object(told));
        }
        let Some((entrant, played)) = current else { return Ok(None) };
        let mut against = Vec::new();
        for pairing in self.against(&played.entry.bot.to_string()) {
            let other = self.entrant(&pairing.opponent);
            let lost = match other {
                Some(other) => index.lost_games(entrant, other, LOST)?,
                None => Vec::new(),
            };
            let mut told = json!(pairing);
            told["lost_games"] = json!(lost);
            against.push(told);
        }
        let playing = played.entry.bot.to_string();
        let rank =
            self.active().all.rows.iter().find(|row| row.name == playing).map(|row| row.rank);
        let told = json!({ "name": name, "rank": rank, "versions": versions, "against": against });
        Ok(Some(told))
    }

    fn against(&self, bot: &str) -> Vec<HeadToHead> {
        let view = &self.all.all;
        let place = self.place(bot);
        let all =
            place.map(|place| (0..view.rows.len()).filter_map(move |it| view.pairing(place, it)));
        all.into_iter().flatten().collect()
    }

    /// The announced rounds from this one on, without their tables.
    pub fn rounds(&self, first: usize) -> impl Iterator<Item = (u64, Value)> {
        self.league.rounds().iter().skip(first).map(|round| (round.line.round, self.summary(round)))
    }

    fn summary(&self, round: &Round) -> Value {
        let line = &round.line;
        let played = match &round.over {
            Some(over) => over.games,
            None => self.open.unwrap_or_default(),
        };
        json!({
            "round": line.round,
            "bots": line.bots,
            "tables": line.tables.len(),
            "deals": line.deals,
            "stage": line.stage,
            "games": line.games(self.league.seats()),
            "played": played,
            "over": round.over.is_some(),
            "broken": broken(round),
        })
    }

    /// A round with its tables: the keys of `arbiter league pairings --json`. The seed of one that was broken off is in
    /// the log of the league alone, as on the pages.
    pub fn round(&self, number: u64, index: &LeagueIndex) -> Result<Option<Value>, IndexError> {
        let mut rounds = self.league.rounds().iter();
        let Some(round) = rounds.find(|round| round.line.round == number) else { return Ok(None) };
        let mut told = pairings(round, &GameMarks::read(&self.league, round, index)?);
        if let Some(why) = broken(round) {
            told["over"]["broken"] = json!({ "why": why });
        }
        Ok(Some(told))
    }

    /// The refusals from this one on, in their order.
    pub fn refusals(&self, first: usize) -> impl Iterator<Item = (u64, Value)> {
        let refused = (0..).zip(&self.refused).skip(first);
        refused.map(|(number, StoredRejection { refusal, .. })| {
            let why = without_folders(&refusal.why);
            (number, json!({ "number": number, "name": refusal.name, "why": why }))
        })
    }

    /// The stages from this one on: the values of `arbiter league stages --json`.
    pub fn stages(&self, first: usize) -> impl Iterator<Item = (u64, Value)> {
        let stages = self.league.stages().iter().skip(first);
        stages.map(|stage| (stage.line.stage, stage::output::value(stage)))
    }
}

fn broken(round: &Round) -> Option<String> {
    let broken = round.over.as_ref()?.broken.as_ref()?;
    Some(without_folders(&broken.why))
}
