/**
 * Finds the ops that decide about a remote call and its arguments, and whether they may run early on registers of
 * their own.
 */
@NullMarked
package dev.cleave.agent.plan.slice;

import org.jspecify.annotations.NullMarked;
