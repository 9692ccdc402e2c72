//! Bots in all languages as they grow, and as the steps of a page make them.

mod first_bot;
mod growing_bot;
