/** Whether servers still answer: pings, and what their absence means. Belongs to the thread of the registry. */
@NullMarked
package dev.cleave.broker.health;

import org.jspecify.annotations.NullMarked;
