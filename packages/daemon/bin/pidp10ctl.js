#!/usr/bin/env node
import '../bundle/pidp10ctl.mjs';
