/** What runs in the compiler: the index of remote interfaces. Needs nothing of ours but names. */
@NullMarked
package dev.cleave.processor;

import org.jspecify.annotations.NullMarked;
