package dev.cleave.rt;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A sent call was discarded, because the program did not reach its place. */
@Name("dev.cleave.Discard")
@Label("Call Given Up")
@Description("A remote call was sent ahead, but the program did not reach its place")
final class DiscardEvent extends CallEvent {}
