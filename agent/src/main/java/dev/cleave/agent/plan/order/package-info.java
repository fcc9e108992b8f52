/**
 * Judges whether a send may run before the code in front of it: what that code writes, in which order calls are sent,
 * and which of them hang together.
 */
@NullMarked
package dev.cleave.agent.plan.order;

import org.jspecify.annotations.NullMarked;
