/** Carries out plans: edits bodies and writes classes. Decides nothing. */
@NullMarked
package dev.cleave.agent.transform;

import org.jspecify.annotations.NullMarked;
