package dev.cleave.rt;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call was sent, ahead or in place. Off unless a recording asks for it: there is one for each call. */
@Name("dev.cleave.Send")
@Label("Call Sent")
@Description("A remote call was sent by rewritten code")
@Enabled(false)
final class SendEvent extends CallEvent {}
