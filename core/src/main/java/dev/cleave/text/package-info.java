/** Texts as they are printed. Used by all other packages; uses none. */
@NullMarked
package dev.cleave.text;

import org.jspecify.annotations.NullMarked;
