//! The third tier, for a release and a machine of its own: browsers, engines, the wheel, endurance, bots in all
//! languages as they grow, and each fault in the other ways of keeping bots. `dist/check` runs it: `cargo test --workspace --test machine`.

mod bots;
mod engines;
mod handing_in;
mod league;
mod misbehaviour;
mod open_pages;
mod remote;
mod reports;
mod served;
mod site;
mod tournaments;
mod wheel;
