/** The test kit: services in the process of a test. */
@NullMarked
package dev.cleave.test;

import org.jspecify.annotations.NullMarked;
