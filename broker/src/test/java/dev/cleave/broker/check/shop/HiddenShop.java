package dev.cleave.broker.check.shop;

/** An implementation that cannot be made from outside. */
public final class HiddenShop extends RealShop {

    HiddenShop() {}
}
