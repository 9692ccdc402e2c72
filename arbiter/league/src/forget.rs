//! Forgetting a person: everything outside the proof that says who a participant is.
//!
//! The proof is left as it is, so it still verifies: the log of the league and of its rounds have the name of the bot,
//! its moves and the reasons of the organiser.

use std::collections::BTreeSet;
use std::io;

use serde::Serialize;
use text::failure::Failure;
use text::shell::word;
use text::{display_path, printable, system_error};

use crate::audit;
use crate::events;
use crate::folder::LeagueFolder;
use crate::participants::{self, Participants};
use crate::rejections;
use crate::state::{League, Membership};
use crate::submissions;
use crate::test_games::record as test_games;
use crate::version::BotVersion;
use bot::spelt_as_names;
use contest::tournament::folder::games;

/// Numbers of the files that were removed, and the mentions that stay.
#[derive(Debug, Serialize)]
pub struct Erasure {
    /// The name of the participant and of the bot, which is in the proof.
    pub name: String,
    /// The pseudonym in the place of the person.
    pub pseudonym: String,
    /// Number of submissions whose files, reports and tokens were removed.
    pub submissions: usize,
    pub test_games: usize,
    pub rejections: usize,
    /// Number of events whose reasons were removed.
    pub events: usize,
    /// Number of texts on standard error that were removed beside the logs of rounds.
    pub texts: u64,
    /// Mentions of the participant in the proof, which stay.
    pub proof: RemainingMentions,
}

/// Mentions of a participant in the proof of a league.
#[derive(Debug, Serialize)]
pub struct RemainingMentions {
    /// The versions of the bots: name, command and digests of the files.
    pub versions: Vec<BotVersion>,
    /// The rounds with moves of the bots, and digests of its standard error.
    pub rounds: Vec<u64>,
    /// The reasons of the organiser that name it.
    pub reasons: Vec<String>,
    /// The copies of the bots that are kept, whose digests are in the proof.
    pub copies: Vec<BotVersion>,
}

/// Replaces a person with a pseudonym, and removes tokens, members, submitted files, reports and test games.
///
/// # Errors
///
/// [`Failure::Usage`] if no participant has this name, or the bot still plays. After any other failure, call it again.
pub fn forget(folder: &LeagueFolder, name: &str) -> Result<Erasure, Failure> {
    let name = spelt_as_names(name);
    let league = folder.read()?;
    let known = Participants::read(folder)?;
    let name = known.owner(&name).map_or(name.clone(), str::to_owned);
    let bots = known.bots_beside(&name);
    bots.iter().try_for_each(|bot| must_have_left(folder, &league, bot))?;
    let ours = |error: io::Error| Failure::Ours(system_error(error));
    let pseudonym = participants::forget(folder, &name)?;
    let [mut submissions, mut test_games, mut rejections, mut events] = [0; 4];
    for bot in &bots {
        submissions += submissions::forget(folder, bot)?;
        test_games += test_games::forget(folder, bot).map_err(ours)?;
        rejections += rejections::forget(folder, bot).map_err(ours)?;
        events += events::forget(folder, bot).map_err(ours)?;
    }
    audit::forget(folder, &name).map_err(ours)?;
    let proof = RemainingMentions::find(folder, &league, &bots);
    let texts = remove_texts(folder, &proof)?;
    Ok(Erasure { name, pseudonym, submissions, test_games, rejections, events, texts, proof })
}

/// Removes what the bot wrote to standard error in its rounds, all of which are over.
fn remove_texts(folder: &LeagueFolder, proof: &RemainingMentions) -> Result<u64, Failure> {
    let names: Vec<String> = proof.versions.iter().map(ToString::to_string).collect();
    let mut removed = 0;
    for round in &proof.rounds {
        let log = games(&folder.round(*round));
        if log.is_file() {
            let is_chosen = |name: &str| names.iter().any(|own| own == name);
            removed += record::remove_private_texts(&log, is_chosen)
                .map_err(|problem| Failure::Ours(format!("`{}`: {problem}", display_path(&log))))?;
        }
    }
    Ok(removed)
}

fn must_have_left(folder: &LeagueFolder, league: &League, name: &str) -> Result<(), Failure> {
    let usage = |problem: String| Err(Failure::Usage(problem));
    let Some(current) = league.current(name) else { return Ok(()) };
    let bot = &current.entry.bot;
    if current.membership == Membership::Active {
        let (dir, name) = (word(folder.path()), printable(name));
        return usage(format!("{bot} still plays: `arbiter league retire {dir} {name}` first"));
    }
    let of_name = |bots: &[BotVersion]| bots.iter().any(|bot| bot.bot == name);
    if let Some(round) = league.open_round().filter(|round| of_name(&round.line.bots)) {
        return usage(format!("{bot} still plays in round {}: finish it first", round.line.round));
    }
    match league.open_stage().filter(|stage| of_name(&stage.line.bots)) {
        Some(stage) => {
            usage(format!("{bot} still plays in stage {}: finish it first", stage.line.stage))
        }
        None => Ok(()),
    }
}

impl RemainingMentions {
    fn find(folder: &LeagueFolder, league: &League, names: &[&str]) -> RemainingMentions {
        let is_own = |bot: &BotVersion| names.contains(&bot.bot.as_str());
        let members = || league.members().iter().filter(|member| is_own(&member.entry.bot));
        let rounds = league.rounds().iter().filter(|round| round.line.bots.iter().any(is_own));
        let left = members().filter_map(|member| Some(member.left.as_ref()?.reason.clone()));
        let excepted = names.iter().flat_map(|name| league.exceptions().of_participant(name));
        let excepted = excepted.map(|it| it.reason.clone());
        let reasons: BTreeSet<String> = left.chain(excepted).collect();
        let is_kept = |bot: &BotVersion| folder.path().join(LeagueFolder::bot(bot)).is_dir();
        let versions: Vec<BotVersion> = members().map(|it| it.entry.bot.clone()).collect();
        RemainingMentions {
            copies: versions.iter().filter(|bot| is_kept(bot)).cloned().collect(),
            rounds: rounds.map(|round| round.line.round).collect(),
            reasons: reasons.into_iter().collect(),
            versions,
        }
    }
}
