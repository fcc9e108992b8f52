/**
 * Decides which remote calls are sent early, and how far. Plans are data; no class of these packages edits code.
 *
 * <p>One idea carries both rewritings. The program's own code stays where it is, with each planned call replaced by
 * "take the call that was sent, or call". Beside it a copy of the code that decides about the calls, the
 * <em>send slice</em>, runs ahead on registers of its own and sends. It must be free of effects, and nothing that the
 * program does meanwhile may change what it reads. It may throw: then it just ends, and the program meets the exception
 * at its own place.
 */
@NullMarked
package dev.cleave.agent.plan;

import org.jspecify.annotations.NullMarked;
