/**
 * The annotation processor, which writes the index of remote interfaces. It uses other classes of ours only by name.
 */
@NullMarked
package dev.cleave.processor;

import org.jspecify.annotations.NullMarked;
