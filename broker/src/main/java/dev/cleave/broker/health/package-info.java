/** Checks by pings whether peers are alive. Belongs to the thread of the registry. */
@NullMarked
package dev.cleave.broker.health;

import org.jspecify.annotations.NullMarked;
