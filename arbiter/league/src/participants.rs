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
use thiserror::Error;

use crate::folder::{LeagueError, LeagueFolder};
use crate::quotas::MOST_BOTS;
use crate::state::League;
use crate::token::Token;
use crate::value_file::ValueFile;
use bot::{EXPECTED_NAME, LookAlikes, is_name, is_reserved, is_same_name, looks_like, unclear};
use text::failure::Failure;

/// The file of the participants.
const PARTICIPANTS: ValueFile =
    ValueFile { name: "participants.json", lock: "inviting", longest: 8 << 20 };
/// Most participants.
pub const MOST: usize = 10_000;
/// Most members of a team.
const MOST_MEMBERS: usize = 20;
/// Longest remark about a person, in characters.
const LONGEST_PERSON: usize = 200;

/// The participants, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Participants(BTreeMap<String, Participant>);

/// A participant.
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
    /// The participant.
    pub participant: String,
    /// The member whose token it is.
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
    /// The name of the participant and of their bots.
    pub name: &'a str,
    /// The name of a member, if the token is for one.
    pub member: Option<&'a str>,
    /// The person behind the name, for the organiser alone; if none is given, the remark stays as it is.
    pub person: Option<&'a str>,
}

/// Reason why participants were not changed; one line.
#[derive(Debug, Error)]
pub enum InviteError {
    /// The name is not valid.
    #[error("invalid participant name `{0}`: {EXPECTED_NAME}")]
    BadName(String),
    /// It differs from another name only in letter case.
    #[error("`{0}` differs from `{1}` only in case: choose another name")]
    SameName(String, String),
    /// It looks like another name.
    #[error("`{0}` looks like `{1}`, which is taken: choose a different name")]
    LooksLike(String, String),
    /// Its letters are easily taken for others.
    #[error("the name `{0}` {1}")]
    Unclear(String, &'static str),
    /// It is kept for others.
    #[error("the name `{0}` is reserved: choose a different name")]
    Reserved(String),
    /// The name belongs to a participant or a bot.
    #[error("the name `{0}` is taken")]
    Taken(String),
    /// The name is one for a further bot of a participant.
    #[error("`{0}` is reserved for a bot of `{1}`: choose a different name")]
    KeptFor(String, String),
    /// A bot of another participant has a name like one for a further bot of this one.
    #[error("`{1}` would look like a bot of `{0}`: choose a different name")]
    BeginsAnother(String, String),
    /// One of several cannot have a token.
    #[error("{problem}")]
    OneOf {
        /// Its place among them, from 0.
        place: usize,
        /// The reason.
        problem: Box<InviteError>,
    },
    /// The remark about the person is too long.
    #[error("the real name of `{0}` is longer than {LONGEST_PERSON} characters")]
    Person(String),
    /// There are too many participants.
    #[error("limit of {MOST} participants reached")]
    TooMany,
    /// A team has too many members.
    #[error("`{0}` has reached the limit of {MOST_MEMBERS} members")]
    TooManyMembers(String),
    /// There is no such participant.
    #[error("participant `{0}` has no token: create one with `arbiter league invite`")]
    Unknown(String),
    /// No participant has this name.
    #[error("no participant `{0}`: use an invited name")]
    NoParticipant(String),
    /// The name of a further bot does not show whose it is.
    #[error("you cannot name a bot `{0}`: use a name that begins with `{1}-`")]
    OtherName(String, String),
    /// A participant has too many names of bots.
    #[error("`{0}` has reached the limit of {MOST_BOTS} names of bots")]
    TooManyBots(String),
    /// The league takes one bot of each participant.
    #[error("this league accepts one bot per participant")]
    OneBot,
    /// The league cannot be read or changed.
    #[error(transparent)]
    League(#[from] LeagueError),
}

impl From<InviteError> for Failure {
    fn from(problem: InviteError) -> Failure {
        match problem {
            InviteError::League(problem) => problem.into(),
            InviteError::OneOf { problem, .. } => (*problem).into(),
            InviteError::BadName(_)
            | InviteError::SameName(..)
            | InviteError::LooksLike(..)
            | InviteError::Unclear(..)
            | InviteError::Reserved(_)
            | InviteError::Taken(_)
            | InviteError::KeptFor(..)
            | InviteError::BeginsAnother(..)
            | InviteError::Person(_)
            | InviteError::TooMany
            | InviteError::TooManyMembers(_)
            | InviteError::Unknown(_)
            | InviteError::NoParticipant(_)
            | InviteError::OtherName(..)
            | InviteError::TooManyBots(_)
            | InviteError::OneBot => Failure::Usage(problem.to_string()),
        }
    }
}

impl Participants {
    /// Reads the participants of a league.
    ///
    /// # Errors
    ///
    /// [`LeagueError::Unusable`]
    pub fn read(folder: &LeagueFolder) -> Result<Participants, LeagueError> {
        PARTICIPANTS.read(folder)
    }

    /// Returns the holder of this token.
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

    /// Returns the name of the participant whose bot this is.
    pub fn owner(&self, bot: &str) -> Option<&str> {
        let is_owner = |(name, participant): &(&String, &Participant)| {
            *name == bot || participant.bots.contains(bot)
        };
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

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns all participants with their names.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Participant)> {
        self.0.iter().map(|(name, participant)| (name.as_str(), participant))
    }

    /// Returns the participant whose bot this is.
    pub fn of_bot(&self, bot: &str) -> Option<&Participant> {
        self.0.get(self.owner(bot)?)
    }

    /// Returns the names of participants and of their bots.
    pub(crate) fn names_of_bots(&self) -> impl Iterator<Item = &str> {
        self.names().chain(self.0.values().flat_map(Participant::further_bots))
    }

    /// The names of participants and bots by what they look like.
    fn taken(&self, league: &League) -> LookAlikes {
        let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
        LookAlikes::among(entered.chain(self.names_of_bots()))
    }

    /// Returns true if a participant has or had this name, or a bot of this name.
    pub fn has(&self, name: &str) -> bool {
        self.owner(name).is_some()
    }

    /// Gives a token, in place of an earlier one. A new name must look like none of these.
    fn invite(
        &mut self,
        (league, taken): (&League, &mut LookAlikes),
        invited: &InvitationRequest<'_>,
    ) -> Result<Invitation, InviteError> {
        let InvitationRequest { name, member, person } = *invited;
        for name in [Some(name), member].into_iter().flatten() {
            if !is_name(name) {
                return Err(InviteError::BadName(printable(name)));
            }
        }
        if person.is_some_and(|person| person.chars().count() > LONGEST_PERSON) {
            return Err(InviteError::Person(name.to_owned()));
        }
        if self.owner(name).is_some_and(|owner| owner != name) {
            return Err(InviteError::Taken(name.to_owned()));
        }
        self.must_differ(league, name)?;
        if !self.has(name) {
            must_be_clear(league, taken, name)?;
            taken.add(name);
        }
        if self.0.len() >= MOST && !self.has(name) {
            return Err(InviteError::TooMany);
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
                    return Err(InviteError::TooManyMembers(name.to_owned()));
                }
                participant.members.insert(member.to_owned(), token.digest())
            }
        };
        Ok(Invitation { token, has_replaced: former.is_some() })
    }
}

impl Participants {
    /// Checks that no other name differs from this one in letter case alone.
    fn must_differ(&self, league: &League, name: &str) -> Result<(), InviteError> {
        let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
        let is_twin = |other: &&str| *other != name && is_same_name(other, name);
        match entered.chain(self.names_of_bots()).find(is_twin) {
            Some(twin) => Err(InviteError::SameName(name.to_owned(), twin.to_owned())),
            None => Ok(()),
        }
    }

    /// Checks that a name is none for a further bot of a participant, nor looks like one, and that no bot has a name that
    /// would be one for a further bot of it.
    fn must_be_kept_for_nobody(&self, name: &str) -> Result<(), InviteError> {
        let owners = LookAlikes::among(self.names());
        let mut beginnings = name.match_indices('-').map(|(end, _)| &name[..end]);
        if let Some(owner) = beginnings.find_map(|beginning| owners.of_name(beginning)) {
            return Err(InviteError::KeptFor(printable(name), owner.to_owned()));
        }
        // A bot of another participant would look like one of the new participant's.
        let is_like_further_bot =
            |other: &&str| other.match_indices('-').any(|(end, _)| looks_like(&other[..end], name));
        match self.names_of_bots().find(is_like_further_bot) {
            Some(other) => Err(InviteError::BeginsAnother(printable(name), other.to_owned())),
            None => Ok(()),
        }
    }

    fn claim(
        &mut self,
        league: &League,
        (participant, bot): (&str, &str),
        is_used: &dyn Fn(&str) -> bool,
    ) -> Result<(), InviteError> {
        if self.owner(bot) == Some(participant) {
            return Ok(());
        }
        if !is_name(bot) {
            return Err(InviteError::BadName(printable(bot)));
        }
        let is_of_participant = bot.strip_prefix(participant).is_some_and(|it| it.starts_with('-'));
        if !is_of_participant {
            return Err(InviteError::OtherName(bot.to_owned(), participant.to_owned()));
        }
        if self.has(bot) || league.newest(bot).is_some() {
            return Err(InviteError::Taken(bot.to_owned()));
        }
        self.must_differ(league, bot)?;
        must_be_clear(league, &self.taken(league), bot)?;
        let unknown = || InviteError::NoParticipant(participant.to_owned());
        let own = self.0.get_mut(participant).ok_or_else(unknown)?;
        own.bots.retain(|bot| league.newest(bot).is_some() || is_used(bot));
        // The one with the name of the participant counts, too.
        if own.bots.len() + 1 >= MOST_BOTS {
            return Err(InviteError::TooManyBots(participant.to_owned()));
        }
        own.bots.insert(bot.to_owned());
        Ok(())
    }
}

/// Checks that a new name of a participant is taken for no other.
fn must_be_clear(league: &League, taken: &LookAlikes, name: &str) -> Result<(), InviteError> {
    // The organiser has entered the bot before, and hands it to someone.
    if league.newest(name).is_some() {
        return Ok(());
    }
    if let Some(twin) = taken.of_name(name) {
        return Err(InviteError::LooksLike(name.to_owned(), twin.to_owned()));
    }
    if is_reserved(name) {
        return Err(InviteError::Reserved(name.to_owned()));
    }
    match unclear(name) {
        Some(problem) => Err(InviteError::Unclear(name.to_owned(), problem)),
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

    /// Returns the names of members with tokens.
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

/// Result of an invitation.
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
/// [`InviteError`], with nothing changed.
pub fn invite(
    folder: &LeagueFolder,
    invited: &InvitationRequest<'_>,
) -> Result<Invitation, InviteError> {
    let league = folder.read()?;
    change(folder, |all| {
        let mut taken = all.taken(&league);
        all.invite((&league, &mut taken), invited)
    })
}

/// Gives all of these tokens, or none if one of them cannot have one.
///
/// # Errors
///
/// [`InviteError`], with nothing changed; [`InviteError::OneOf`] says for which of them.
pub fn invite_all(
    folder: &LeagueFolder,
    invited: &[InvitationRequest<'_>],
) -> Result<Vec<Invitation>, InviteError> {
    let league = folder.read()?;
    change(folder, |all| {
        let mut taken = all.taken(&league);
        let tokens = invited.iter().enumerate().map(|(place, invited)| {
            all.invite((&league, &mut taken), invited).map_err(|problem| match problem {
                InviteError::League(_) => problem,
                _ => InviteError::OneOf { place, problem: Box::new(problem) },
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
/// [`InviteError`], with nothing changed.
pub fn register(folder: &LeagueFolder, name: &str) -> Result<Token, InviteError> {
    let league = folder.read()?;
    // Settings that cannot be read just now may allow it.
    let has_further_bots = folder.quotas().map_or(true, |quotas| quotas.bots() > 1);
    change(folder, |all| {
        if all.has(name) || league.newest(name).is_some() {
            return Err(InviteError::Taken(printable(name)));
        }
        if has_further_bots {
            all.must_be_kept_for_nobody(name)?;
        }
        let mut taken = all.taken(&league);
        let invited = InvitationRequest { name, member: None, person: None };
        let invitation = all.invite((&league, &mut taken), &invited)?;
        Ok(invitation.token)
    })
}

/// Keeps a name for a further bot of a participant. Names of theirs that are not in use are free again.
///
/// # Errors
///
/// [`InviteError`], with nothing changed.
pub(crate) fn claim_bot(
    folder: &LeagueFolder,
    participant: &str,
    bot: &str,
    is_used: &dyn Fn(&str) -> bool,
) -> Result<(), InviteError> {
    let league = folder.read()?;
    change(folder, |all| all.claim(&league, (participant, bot), is_used))
}

/// Replaces a token by a new one, for the same participant or member.
///
/// # Errors
///
/// [`InviteError::Unknown`] if there is no such token.
pub fn renew(folder: &LeagueFolder, token: &str) -> Result<Token, InviteError> {
    let digest = Digest::hash(token.as_bytes());
    let new = Token::drawn()?;
    change(folder, |all| {
        let mut own = all.0.values_mut().flat_map(|participant| {
            participant.token.iter_mut().chain(participant.members.values_mut())
        });
        let found = own.find(|own| **own == digest);
        *found.ok_or_else(|| InviteError::Unknown("of this token".to_owned()))? = new.digest();
        Ok(())
    })?;
    Ok(new)
}

/// Revokes the tokens of a participant and of all members, or of one member; bots that were handed in stay.
///
/// # Errors
///
/// [`InviteError::Unknown`] if there is no such token.
pub fn revoke(folder: &LeagueFolder, name: &str, member: Option<&str>) -> Result<(), InviteError> {
    let unknown = || InviteError::Unknown(printable(member.unwrap_or(name)));
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
/// [`InviteError::NoParticipant`] if no participant has this name.
pub fn forget(folder: &LeagueFolder, name: &str) -> Result<String, InviteError> {
    let drawn: String = Token::drawn()?.to_string().chars().take(8).collect();
    change(folder, |all| {
        let missing = || InviteError::NoParticipant(printable(name));
        let participant = all.0.get_mut(name).ok_or_else(missing)?;
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
    change: impl FnOnce(&mut Participants) -> Result<R, InviteError>,
) -> Result<R, InviteError> {
    PARTICIPANTS.change(folder, change)
}
