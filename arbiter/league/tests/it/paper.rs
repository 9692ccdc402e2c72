//! Leagues on paper: lines of a log without games, for rules that follow from results alone.

#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

use league::line::{
    EnterLine, FORMAT, LeagueHeader, LeagueLine, RetireLine, RoundAbort, RoundEndLine, RoundLine,
};
use league::stage::{ForfeitRule, Stage, StageFormat, StageLine, TIE_BREAKS, TableResult};
use league::{BotVersion, League, rounds};
use rules::{Dialect, Digest, Score, Seed};
use series::header::CommittedSeed;

/// A league whose results are made up.
pub struct PaperLeague(pub League);

/// The result of a table.
pub fn result(won: [u64; 2], points: [i32; 2], forfeited: [u64; 2]) -> TableResult {
    let points = points.map(Score::points);
    TableResult { won, drawn: 0, points, forfeited: Some(forfeited) }
}

pub fn bot(number: usize) -> BotVersion {
    BotVersion { bot: format!("bot-{number}"), version: 1 }
}

impl PaperLeague {
    /// A league of this many bots.
    pub fn of_bots(bots: usize) -> PaperLeague {
        let founding = LeagueHeader {
            format: FORMAT,
            version: "0.1.0".to_owned(),
            game: "tablic".to_owned(),
            rules: None,
            seats: 2,
        };
        let league = League::begin(LeagueLine::League(founding), Digest::hash(b"0"));
        let mut league = PaperLeague(league.expect("a league"));
        for number in 0..bots {
            let entry = EnterLine {
                bot: bot(number),
                command: "greedy".to_owned(),
                files: Vec::new(),
                handed_in: None,
                dialect: Dialect::Native,
                mode: Default::default(),
            };
            league.take(LeagueLine::Enter(Box::new(entry))).expect("it enters");
        }
        league
    }

    /// A league of this many bots, all in a stage.
    pub fn with_stage(bots: usize, format: StageFormat, deciders: u64) -> PaperLeague {
        let mut league = PaperLeague::of_bots(bots);
        let stage = StageLine {
            stage: 0,
            name: "final".to_owned(),
            format,
            bots: (0..bots).map(bot).collect(),
            deals: 4,
            tie_breaks: TIE_BREAKS.to_vec(),
            deciders,
            forfeits: ForfeitRule::Listed,
        };
        league.take(LeagueLine::Stage(Box::new(stage))).expect("a stage");
        league
    }

    /// Retires a bot, or disqualifies it if there is a reason.
    pub fn leaves(&mut self, number: usize, disqualified: Option<&str>) {
        let line = match disqualified {
            None => RetireLine::Bot(bot(number)),
            Some(reason) => RetireLine::Reason {
                bot: bot(number),
                reason: reason.to_owned(),
                disqualified: true,
            },
        };
        self.take(LeagueLine::Retire(line)).expect("it plays");
    }

    /// Aborts the open round.
    pub fn aborts(&mut self) {
        let round = self.0.open_round().expect("an open round").line.round;
        let broken = Some(RoundAbort { why: "a flood".to_owned(), seed: seed(round) });
        let over = RoundEndLine { round, games: 0, head: None, broken, results: Vec::new() };
        self.take(LeagueLine::Over(Box::new(over))).expect("it fits");
    }

    /// The bots of each table of the last round, by their numbers.
    pub fn tables(&self) -> Vec<[usize; 2]> {
        let round = self.stage().rounds().last().expect("a round");
        round.tables.iter().map(|table| table.bots).collect()
    }

    /// The first and the last rank of each bot that has a place, in the order of the places.
    pub fn places(&self) -> Vec<(usize, [usize; 2])> {
        self.stage().places().iter().map(|place| (place.seed, place.rank)).collect()
    }

    pub fn take(&mut self, line: LeagueLine) -> Result<(), String> {
        let digest = Digest::hash(&(self.0.heads().len() as u64).to_le_bytes());
        self.0.take(line, digest)
    }

    pub fn stage(&self) -> &Stage {
        self.0.stages().last().expect("a stage")
    }

    /// Announces the next round of the stage; none if the stage is over.
    pub fn announce(&mut self) -> Option<RoundLine> {
        let stage = self.0.open_stage()?;
        let seed = seed(self.0.rounds().len() as u64);
        let line = rounds::next_of_stage(&self.0, stage, seed.commitment()).expect("a round");
        self.take(LeagueLine::Round(Box::new(line.clone()))).expect("it fits");
        Some(line)
    }

    /// Ends the open round with these results.
    pub fn end(&mut self, results: Vec<TableResult>) {
        let round = self.0.open_round().expect("an open round").line.round;
        let head = Some(Digest::hash(b"head"));
        let over = RoundEndLine { round, games: 0, head, broken: None, results };
        self.take(LeagueLine::Over(Box::new(over))).expect("it fits");
    }

    /// Plays the next round with results by the seeds of each table; false if the stage is over.
    pub fn play(&mut self, result: &mut dyn FnMut([usize; 2]) -> TableResult) -> bool {
        if self.announce().is_none() {
            return false;
        }
        let round = self.stage().rounds().last().expect("a round");
        let results = round.tables.iter().map(|table| result(table.bots)).collect();
        self.end(results);
        true
    }
}

fn seed(round: u64) -> CommittedSeed {
    CommittedSeed(Seed(Digest::hash(&round.to_le_bytes()).bytes()))
}
