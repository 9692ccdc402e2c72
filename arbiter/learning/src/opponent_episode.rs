//! Episodes in which built-in players have all seats but one.

use bots::programs::NoPlayersError;
use rules::GameKind;

use crate::episode::{Deal, Episode, EpisodeError, Opponent};
use crate::typed_episode::TypedEpisode;

impl Opponent {
    /// Begins an episode against it. It has already moved where it is first.
    pub fn begin(
        &self,
        kind: &GameKind,
        options: &str,
        deal: Deal,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        self.resume(kind, options, deal, &[])
    }

    /// Begins an episode against it in which these moves of all seats were played.
    pub(crate) fn resume(
        &self,
        kind: &GameKind,
        options: &str,
        deal: Deal,
        moves: &[String],
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        macro_rules! find {
            ($($game:ty),*) => {
                $(if *kind == GameKind::of::<$game>() {
                    let episode = TypedEpisode::<$game>::new(options, deal)?;
                    return Ok(Box::new(episode.against(self, moves)?));
                })*
            };
        }
        rules::games!(find);
        Err(NoPlayersError(kind.clone()).into())
    }
}
