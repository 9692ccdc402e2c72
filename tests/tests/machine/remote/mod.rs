//! Remote bots over a proxy with TLS that cuts their connections.

mod cuts;
mod endpoint;
mod endurance;
mod proxied;
