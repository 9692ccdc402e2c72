//! The participants, who may hand in bots over the page of a league: names, each with a token or several.
//!
//! A token is 256 random bits, shown once. The league keeps only its digest, so the files of the league
//! let no one in. A token is looked up by its digest: the time that this takes says nothing about the
//! tokens. A participant may be a team, whose members have tokens of their own.
//!
//! The first bot of a participant has the participant's name. Where the league takes several bots of one participant,
//! the names of the others begin with it.

use std::collections::{BTreeMap, BTreeSet};

use rules::Digest;
use serde::{Deserialize, Serialize};
use text::printable;

use crate::folder::{LeagueError, LeagueFolder};
use crate::json_files::JsonFile;
use crate::quotas::MOST_BOTS;
use crate::refusal::{Refusal, RefusalKind};
use crate::state::League;
use crate::token::Token;
use bot::{
    ConfusableNames, EXPECTED_NAME, is_name, is_reserved, is_same_name, letter_problem, looks_like,
};
use text::failure::Failure;

const PARTICIPANTS: JsonFile =
    JsonFile { name: "participants.json", lock: "inviting", longest: 8 << 20 };
/// Most participants.
pub const MOST: usize = 10_000;
/// Most members of a team.
const MOST_MEMBERS: usize = 20;
/// Longest remark about a person, in characters.
const LONGEST_PERSON: usize = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Participants(BTreeMap<String, Participant>);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Participant {
    /// Digest of the token; none if it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<Digest>,
    /// Digests of the tokens of members, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    members: BTreeMap<String, Digest>,
    /// Names of further bots.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    bots: BTreeSet<String>,
    /// The person behind the name, for the organiser alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// The holder of a token: a participant, or a member of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHolder {
    pub participant: String,
    pub member: Option<String>,
}

impl TokenHolder {
    /// Returns `anna`, or `anna/ben` for a member.
    pub fn in_words(&self) -> String {
        let member = self.member.as_ref().map(|member| format!("/{member}"));
        format!("{}{}", self.participant, member.unwrap_or_default())
    }
}

/// An invitation of a participant or of a member of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationRequest<'a> {
    pub name: &'a str,
    /// The name of a member, if the token is for one.
    pub member: Option<&'a str>,
    /// The person behind the name, for the organiser alone; if none is given, the remark stays as it is.
    pub person: Option<&'a str>,
}

impl Participants {
    /// Reads the participants of a league.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read.
    pub fn read(folder: &LeagueFolder) -> Result<Participants, LeagueError> {
        PARTICIPANTS.read(folder)
    }

    pub fn with_token(&self, token: &str) -> Option<TokenHolder> {
        self.with_digest(Digest::hash(token.as_bytes()))
    }

    fn with_digest(&self, digest: Digest) -> Option<TokenHolder> {
        self.0.iter().find_map(|(name, participant)| {
            let holder = |member| TokenHolder { participant: name.clone(), member };
            if participant.token == Some(digest) {
                return Some(holder(None));
            }
            let mut members = participant.members.iter();
            let member = members.find(|(_, own)| **own == digest)?;
            Some(holder(Some(member.0.clone())))
        })
    }

    pub fn owner(&self, bot: &str) -> Option<&str> {
        // Most bots have the name of their participant, and a page may ask for a thousand of them.
        if let Some((name, _)) = self.0.get_key_value(bot) {
            return Some(name);
        }
        let is_owner = |it: &(&String, &Participant)| it.1.bots.contains(bot);
        self.0.iter().find(is_owner).map(|(name, _)| name.as_str())
    }

    /// Returns the names of all bots of the participant whose bot this is, the one with the participant's name first; the
    /// name alone if it belongs to no participant.
    pub fn bots_beside<'a>(&'a self, bot: &'a str) -> Vec<&'a str> {
        let Some(owner) = self.owner(bot) else { return vec![bot] };
        let further = self.0.get(owner).map(Participant::further_bots);
        std::iter::once(owner).chain(further.into_iter().flatten()).collect()
    }

    /// Returns true if the participant of this bot has a token, and one of them has the given digest, if one is given.
    pub(crate) fn may_hand_in(&self, bot: &str, token: Option<Digest>) -> bool {
        let participant = self.owner(bot).and_then(|owner| self.0.get(owner));
        let Some(participant) = participant else { return false };
        let mut tokens = participant.tokens();
        tokens.any(|own| token.is_none_or(|token| token == own))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn all(&self) -> impl Iterator<Item = (&str, &Participant)> {
        self.0.iter().map(|(name, participant)| (name.as_str(), participant))
    }

    pub fn of_bot(&self, bot: &str) -> Option<&Participant> {
        self.0.get(self.owner(bot)?)
    }

    pub(crate) fn names_of_bots(&self) -> impl Iterator<Item = &str> {
        self.names().chain(self.0.values().flat_map(Participant::further_bots))
    }

    /// The names of participants and bots by what they look like.
    fn taken_names(&self, league: &League) -> ConfusableNames {
        let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
        ConfusableNames::new(entered.chain(self.names_of_bots()))
    }

    /// Returns true if a participant has or had this name, or a bot of this name.
    pub fn has(&self, name: &str) -> bool {
        self.owner(name).is_some()
    }

    /// Gives a token, in place of an earlier one. A new name must look like none of these.
    fn invite(
        &mut self,
        (league, taken): (&League, &mut ConfusableNames),
        invited: &InvitationRequest<'_>,
    ) -> Result<Invitation, Refusal> {
        let InvitationRequest { name, member, person } = *invited;
        for name in [Some(name), member].into_iter().flatten() {
            if !is_name(name) {
                return Err(bad_name(name));
            }
        }
        if person.is_some_and(|person| person.chars().count() > LONGEST_PERSON) {
            let problem =
                format!("the real name of `{name}` is longer than {LONGEST_PERSON} characters");
            return Err(Refusal::new(RefusalKind::Invalid, problem));
        }
        if self.owner(name).is_some_and(|owner| owner != name) {
            return Err(is_taken(name));
        }
        self.must_differ(league, name)?;
        if !self.has(name) {
            must_be_clear(league, taken, name)?;
            taken.add(name);
        }
        if self.0.len() >= MOST && !self.has(name) {
            let problem = format!("limit of {MOST} participants reached");
            return Err(Refusal::new(RefusalKind::Forbidden, problem));
        }
        let participant = self.0.entry(name.to_owned()).or_default();
        if let Some(person) = person.map(str::trim).filter(|person| !person.is_empty()) {
            participant.person = Some(printable(person));
        }
        let token = Token::drawn()?;
        let former = match member {
            None => participant.token.replace(token.digest()),
            Some(member) => {
                let is_full = participant.members.len() >= MOST_MEMBERS;
                if is_full && !participant.members.contains_key(member) {
                    let problem =
                        format!("`{name}` has reached the limit of {MOST_MEMBERS} members");
                    return Err(Refusal::new(RefusalKind::Forbidden, problem));
                }
                participant.members.insert(member.to_owned(), token.digest())
            }
        };
        Ok(Invitation { token, has_replaced: former.is_some() })
    }
}

impl Participants {
    /// Checks that no other name differs from this one in letter case alone.
    fn must_differ(&self, league: &League, name: &str) -> Result<(), Refusal> {
        let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
        let is_twin = |other: &&str| *other != name && is_same_name(other, name);
        match entered.chain(self.names_of_bots()).find(is_twin) {
            Some(twin) => Err(Refusal::new(
                RefusalKind::Conflict,
                format!("`{name}` differs from `{twin}` only in case: choose another name"),
            )),
            None => Ok(()),
        }
    }

    /// Checks that a name is none for a further bot of a participant, nor looks like one, and that no bot has a name that
    /// would be one for a further bot of it.
    fn must_be_kept_for_nobody(&self, name: &str) -> Result<(), Refusal> {
        let owners = ConfusableNames::new(self.names());
        let mut beginnings = name.match_indices('-').map(|(end, _)| &name[..end]);
        if let Some(owner) = beginnings.find_map(|beginning| owners.of_name(beginning)) {
            let name = printable(name);
            let problem =
                format!("`{name}` is reserved for a bot of `{owner}`: choose a different name");
            return Err(Refusal::new(RefusalKind::Conflict, problem));
        }
        // A bot of another participant would look like one of the new participant's.
        let is_like_further_bot =
            |other: &&str| other.match_indices('-').any(|(end, _)| looks_like(&other[..end], name));
        match self.names_of_bots().find(is_like_further_bot) {
            Some(other) => {
                let name = printable(name);
                let problem =
                    format!("`{other}` would look like a bot of `{name}`: choose a different name");
                Err(Refusal::new(RefusalKind::Conflict, problem))
            }
            None => Ok(()),
        }
    }

    fn claim(
        &mut self,
        league: &League,
        (participant, bot): (&str, &str),
        is_used: &dyn Fn(&str) -> bool,
    ) -> Result<(), Refusal> {
        if self.owner(bot) == Some(participant) {
            return Ok(());
        }
        if !is_name(bot) {
            return Err(bad_name(bot));
        }
        let is_of_participant = bot.strip_prefix(participant).is_some_and(|it| it.starts_with('-'));
        if !is_of_participant {
            let problem = format!(
                "you cannot name a bot `{bot}`: use a name that begins with `{participant}-`"
            );
            return Err(Refusal::new(RefusalKind::Invalid, problem));
        }
        if self.has(bot) || league.newest(bot).is_some() {
            return Err(is_taken(bot));
        }
        self.must_differ(league, bot)?;
        must_be_clear(league, &self.taken_names(league), bot)?;
        let own = self.0.get_mut(participant).ok_or_else(|| no_participant(participant))?;
        own.bots.retain(|bot| league.newest(bot).is_some() || is_used(bot));
        // The one with the name of the participant counts, too.
        if own.bots.len() + 1 >= MOST_BOTS {
            let problem = format!("`{participant}` has reached the limit of {MOST_BOTS} bot names");
            return Err(Refusal::new(RefusalKind::Forbidden, problem));
        }
        own.bots.insert(bot.to_owned());
        Ok(())
    }
}

fn bad_name(name: &str) -> Refusal {
    let problem = format!("invalid participant name `{}`: {EXPECTED_NAME}", printable(name));
    Refusal::new(RefusalKind::Invalid, problem)
}

fn is_taken(name: &str) -> Refusal {
    Refusal::new(RefusalKind::Conflict, format!("the name `{name}` is taken"))
}

/// Of a request that is signed, the participant was there a moment ago.
fn no_participant(name: &str) -> Refusal {
    Refusal::Failed(Failure::Usage(format!("no participant `{name}`: use an invited name")))
}

fn no_token(name: &str) -> Refusal {
    Refusal::Failed(Failure::Usage(format!(
        "participant `{name}` has no token: create one with `arbiter league invite`"
    )))
}

/// Checks that a new name of a participant is taken for no other.
fn must_be_clear(league: &League, taken: &ConfusableNames, name: &str) -> Result<(), Refusal> {
    // The organiser has entered the bot before, and hands it to someone.
    if league.newest(name).is_some() {
        return Ok(());
    }
    if let Some(twin) = taken.of_name(name) {
        let problem =
            format!("`{name}` looks like `{twin}`, which is taken: choose a different name");
        return Err(Refusal::new(RefusalKind::Conflict, problem));
    }
    if is_reserved(name) {
        let problem = format!("the name `{name}` is reserved: choose a different name");
        return Err(Refusal::new(RefusalKind::Conflict, problem));
    }
    match letter_problem(name) {
        Some(problem) => {
            Err(Refusal::new(RefusalKind::Invalid, format!("the name `{name}` {problem}")))
        }
        None => Ok(()),
    }
}

impl Participant {
    fn tokens(&self) -> impl Iterator<Item = Digest> {
        self.token.into_iter().chain(self.members.values().copied())
    }

    /// Returns true if it has a token.
    pub fn may_hand_in(&self) -> bool {
        self.tokens().next().is_some()
    }

    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Returns the names of bots beside the one with the name of the participant.
    pub fn further_bots(&self) -> impl Iterator<Item = &str> {
        self.bots.iter().map(String::as_str)
    }

    /// Returns true if the participant, or this member, has a token.
    pub fn has_token(&self, member: Option<&str>) -> bool {
        member.map_or(self.token.is_some(), |member| self.members.contains_key(member))
    }
}

#[derive(Debug)]
pub struct Invitation {
    /// The token, which is not shown again.
    pub token: Token,
    /// True if it replaced another token, which is now void.
    pub has_replaced: bool,
}

/// Gives a participant or a member of a team a token, in place of an earlier one.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn invite(
    folder: &LeagueFolder,
    invited: &InvitationRequest<'_>,
) -> Result<Invitation, Refusal> {
    let league = folder.read()?;
    change(folder, |all| {
        let mut taken = all.taken_names(&league);
        all.invite((&league, &mut taken), invited)
    })
}

/// Gives all of these tokens, or none if one of them cannot have one.
///
/// # Errors
///
/// Fails with nothing changed; `refused` makes the failure if the one in this place cannot have a token.
pub fn invite_all(
    folder: &LeagueFolder,
    invited: &[InvitationRequest<'_>],
    refused: &dyn Fn(usize, &str) -> Failure,
) -> Result<Vec<Invitation>, Failure> {
    let league = folder.read()?;
    PARTICIPANTS.change(folder, |all: &mut Participants| {
        let mut taken = all.taken_names(&league);
        let tokens = invited.iter().enumerate().map(|(place, invited)| {
            all.invite((&league, &mut taken), invited).map_err(|problem| match problem {
                Refusal::Request { message, .. } => refused(place, &message),
                Refusal::Failed(failure) => failure,
            })
        });
        tokens.collect()
    })
}

/// Gives a new participant a token, if neither a participant nor a bot has the name. Where the league takes several bots of
/// a participant, names for those of others are kept for them.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub fn register(folder: &LeagueFolder, name: &str) -> Result<Token, Refusal> {
    let league = folder.read()?;
    // Settings that cannot be read just now may allow it.
    let has_further_bots = folder.quotas().map_or(true, |quotas| quotas.bots() > 1);
    change(folder, |all| {
        if all.has(name) || league.newest(name).is_some() {
            return Err(is_taken(&printable(name)));
        }
        if has_further_bots {
            all.must_be_kept_for_nobody(name)?;
        }
        let mut taken = all.taken_names(&league);
        let invited = InvitationRequest { name, member: None, person: None };
        let invitation = all.invite((&league, &mut taken), &invited)?;
        Ok(invitation.token)
    })
}

/// Keeps a name for a further bot of a participant. Names of theirs that are not in use are free again.
///
/// # Errors
///
/// [`Refusal`], with nothing changed.
pub(crate) fn claim_bot(
    folder: &LeagueFolder,
    participant: &str,
    bot: &str,
    is_used: &dyn Fn(&str) -> bool,
) -> Result<(), Refusal> {
    let league = folder.read()?;
    change(folder, |all| all.claim(&league, (participant, bot), is_used))
}

/// Replaces a token by a new one, for the same participant or member.
///
/// # Errors
///
/// [`Refusal`] if the token is unknown.
pub fn renew(folder: &LeagueFolder, token: &str) -> Result<Token, Refusal> {
    let digest = Digest::hash(token.as_bytes());
    let new = Token::drawn()?;
    change(folder, |all| {
        let mut own = all.0.values_mut().flat_map(|participant| {
            participant.token.iter_mut().chain(participant.members.values_mut())
        });
        let found = own.find(|own| **own == digest);
        *found.ok_or_else(|| no_token("of this token"))? = new.digest();
        Ok(())
    })?;
    Ok(new)
}

/// Revokes the tokens of a participant and of all members, or of one member; bots that were handed in stay.
///
/// # Errors
///
/// [`Refusal`] if the token is unknown.
pub fn revoke(folder: &LeagueFolder, name: &str, member: Option<&str>) -> Result<(), Refusal> {
    let unknown = || no_token(&printable(member.unwrap_or(name)));
    change(folder, |all| {
        // The name stays, so that no one else gets the bots that were handed in under it.
        let participant = all.0.get_mut(name).ok_or_else(unknown)?;
        let had_token = match member {
            Some(member) => participant.members.remove(member).is_some(),
            None => {
                let had_token = participant.may_hand_in();
                participant.token = None;
                participant.members.clear();
                had_token
            }
        };
        had_token.then_some(()).ok_or_else(unknown)
    })
}

/// Begins a pseudonym.
const FORGOTTEN: &str = "forgotten-";

/// Removes the tokens and members of a participant, and puts a pseudonym in the place of the person, which is returned.
/// The names stay, so that no one else gets the bots that were handed in under them.
///
/// # Errors
///
/// [`Refusal`] if no participant has this name.
pub fn forget(folder: &LeagueFolder, name: &str) -> Result<String, Refusal> {
    let drawn: String = Token::drawn()?.to_string().chars().take(8).collect();
    change(folder, |all| {
        let participant = all.0.get_mut(name).ok_or_else(|| no_participant(&printable(name)))?;
        let bots = std::mem::take(&mut participant.bots);
        let known = participant.person.take().filter(|person| person.starts_with(FORGOTTEN));
        let pseudonym = known.unwrap_or_else(|| format!("{FORGOTTEN}{drawn}"));
        let person = Some(pseudonym.clone());
        *participant = Participant { person, bots, ..Participant::default() };
        Ok(pseudonym)
    })
}

fn change<R>(
    folder: &LeagueFolder,
    change: impl FnOnce(&mut Participants) -> Result<R, Refusal>,
) -> Result<R, Refusal> {
    PARTICIPANTS.change(folder, change)
}
