//! Who meets whom in a league: a competition that stays open, where bots enter, leave and change.
//!
//! A league is played in rounds. Before each, [`choose`] takes what is known of the bots and names
//! the tables: the sets of bots that play the same deals, each deal in all rotations of seats. It
//! is a pure function: the same arguments give the same tables.
//!
//! What a league is for is an order of strength. So a game is worth most between two bots whose
//! order is least certain. Ratings are taken for independent and normal, and two bots `i` and `j`
//! with the ratings `r` and standard errors `s` are in the wrong order with the probability
//!
//! ```text
//! Φ(−|rᵢ − rⱼ| / √(sᵢ² + sⱼ²))
//! ```
//!
//! where Φ is the distribution function of the standard normal. To compare next what is most likely to
//! be ordered wrongly is uncertainty sampling (Lewis and Gale 1994, "A sequential algorithm for training
//! text classifiers"). As its errors shrink, a pair loses its place to others, so all pairs that are
//! hard to tell apart approach the same probability, as the optimal allocation of a simulation budget
//! has it (Chen and others 2000, "Simulation budget allocation for further enhancing the efficiency of
//! ordinal optimization").
//!
//! All tables of a round are chosen before any of them is played. So the errors shrink at once by
//! as much as the chosen games will tell, by the information of Bradley and Terry's model: a game
//! whose first bot wins with the probability `p` has the information `(ln 10 / 400)² p (1 − p)` about
//! the difference in Elo. The update of the errors is that of a normal distribution, as in Glicko
//! (Glickman 1999, "Parameter estimation in large dynamic paired comparison experiments").
//!
//! Two rules come before that measure. A bot with fewer deals than the least is new, and plays
//! first. A bot that has fewer than half the deals of another one, whose own place is no less
//! certain, is behind, and plays next.

mod candidate;
mod choice;
mod table;

pub use candidate::{Candidate, NotAStrength, Strength};
pub use choice::{Chosen, NoRound, Reason, Round, choose};
pub use table::{Meetings, NotSeats, Seats, Table};
